package dl

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// complete returns an error for a file that ends before the segments that the loader maps, such as a library whose
// download was interrupted: the loader would end the process (SIGBUS). It refuses pipes and devices too, since the loader
// waits until a pipe has a writer. Errors of other files are left to the loader.
func complete(path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // don't wait for the writer of a pipe
	if err != nil {
		return nil //nolint:nilerr // the loader says it
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return nil //nolint:nilerr // the loader says it
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	size := uint64(info.Size())
	var h elf.Header64
	if binary.Read(f, binary.LittleEndian, &h) != nil || string(h.Ident[:len(elf.ELFMAG)]) != elf.ELFMAG ||
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
