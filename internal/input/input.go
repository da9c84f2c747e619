// Package input opens the files that the command reads, none of which is trusted: only regular ones, since
// a pipe may have nobody who writes and a device no end.
package input

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Open opens a regular file for reading.
func Open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe's other end is not waited for
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New(kindOf(info.Mode()))}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// kindOf says what is there in the place of a regular file.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "is a directory"
	case m&fs.ModeNamedPipe != 0:
		return "is a pipe, not a file"
	case m&fs.ModeDevice != 0:
		return "is a device, not a file"
	}
	return "is not a regular file"
}

// ReadAll returns what a file holds, if that is no more than most bytes.
func ReadAll(f *os.File, most uint64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if size := uint64(info.Size()); size > most {
		return nil, fmt.Errorf("it has %d MiB, more than the %d that are read", size>>20, most>>20)
	}
	text := make([]byte, info.Size())
	n, err := io.ReadFull(io.NewSectionReader(f, 0, info.Size()), text)
	if err == io.EOF || err == io.ErrUnexpectedEOF { // it has become shorter
		err = nil
	}
	return text[:n], err
}

// mostTables is how many bytes of an ELF file's tables are read: far more than any has.
const mostTables = 256 << 20

// ELF is an ELF file, of whose tables so much is read.
type ELF struct {
	*elf.File
	file *os.File
}

// OpenELF opens an ELF file. A file of another kind is an [elf.FormatError].
func OpenELF(name string) (*ELF, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	e, err := NewELF(f)
	if err != nil {
		f.Close()
	}
	return e, err
}

// NewELF is OpenELF of a file that is open. Close closes it.
func NewELF(f *os.File) (*ELF, error) {
	e, err := elf.NewFile(&bounded{f, mostTables})
	if err != nil {
		return nil, err
	}
	return &ELF{e, f}, nil
}

// Close closes the file.
func (e *ELF) Close() error { return e.file.Close() }

// bounded fails after so many bytes: a damaged header may ask for any number.
type bounded struct {
	file *os.File
	left int64
}

func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("its tables have more than %d MiB", mostTables>>20)
	}
	return b.file.ReadAt(p, off)
}

// Section returns what a section holds as it stands in the file, if that is no more than most bytes, and nil if
// there is no such section.
func (e *ELF) Section(name string, most uint64) ([]byte, error) {
	s := e.File.Section(name)
	if s == nil || s.Type == elf.SHT_NOBITS {
		return nil, nil
	}
	if s.FileSize > most {
		return nil, fmt.Errorf("section %s has %d bytes, more than %d", name, s.FileSize, most)
	}
	return io.ReadAll(io.NewSectionReader(e.file, int64(s.Offset), int64(s.FileSize))) // no more than the file has
}

// Memory is how many bytes of memory this process may have: the machine's, or what limits leave of it.
func Memory() uint64 {
	most := uint64(2 << 30)
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		most = uint64(info.Totalram) * uint64(info.Unit)
	}
	return within(most, syscall.Getrlimit, "/sys/fs/cgroup/memory.max")
}

// within is what limits leave of memory: those of the process and, in a file, those of its container.
func within(most uint64, limit func(kind int, l *syscall.Rlimit) error, container string) uint64 {
	for _, kind := range []int{syscall.RLIMIT_AS, syscall.RLIMIT_DATA} {
		var l syscall.Rlimit
		if limit(kind, &l) == nil {
			most = min(most, l.Cur)
		}
	}
	if text, err := os.ReadFile(container); err == nil {
		if n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
			most = min(most, n)
		}
	}
	return most
}
