package dl

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"syscall"
)

// complete returns an error for a file that ends before the segments that the loader maps, such as a library whose
// download was interrupted: the loader would end the process (SIGBUS). It refuses pipes and devices too, since the loader
// waits until a pipe has a writer. Errors of other files are left to the loader.
func complete(path string) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0) // don't wait for the writer of a pipe
	if err != nil {
		return nil //nolint:nilerr // the loader says it
	}
	f := descriptor(fd)
	defer syscall.Close(fd) //nolint:errcheck // nothing was written
	var info syscall.Stat_t
	if syscall.Fstat(fd, &info) != nil || info.Mode&syscall.S_IFMT == syscall.S_IFDIR {
		return nil // the loader says it
	}
	if info.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return errors.New("it is not a regular file")
	}
	size := uint64(info.Size)
	var h elf.Header64
	if binary.Read(io.NewSectionReader(f, 0, info.Size), binary.LittleEndian, &h) != nil || string(h.Ident[:len(elf.ELFMAG)]) != elf.ELFMAG ||
		elf.Class(h.Ident[elf.EI_CLASS]) != elf.ELFCLASS64 || elf.Data(h.Ident[elf.EI_DATA]) != elf.ELFDATA2LSB {
		return nil
	}
	for i := range int64(h.Phnum) {
		var p elf.Prog64
		at := io.NewSectionReader(f, int64(h.Phoff)+i*int64(h.Phentsize), int64(binary.Size(p)))
		if binary.Read(at, binary.LittleEndian, &p) != nil {
			return nil
		}
		if elf.ProgType(p.Type) == elf.PT_LOAD && (p.Filesz > size || p.Off > size-p.Filesz) {
			return fmt.Errorf("the file is cut off: it has %d bytes of %d or more", size, p.Off+p.Filesz)
		}
	}
	return nil
}

// descriptor is an open file. An os.File would keep two descriptors more in the process, of Go's poller.
type descriptor int

func (d descriptor) ReadAt(b []byte, offset int64) (n int, err error) {
	n, err = syscall.Pread(int(d), b, offset)
	if err == nil && n < len(b) {
		err = io.EOF
	}
	return max(n, 0), err
}
