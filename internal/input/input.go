// Package input opens the files that the command reads. No file is trusted. Only regular files are opened, since a pipe
// may have no writer and a device no end.
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
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // don't wait for the writer of a pipe
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

// kindOf describes a file that is not regular.
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

// ReadAll returns the contents of a file, up to most bytes.
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
	if err == io.EOF || err == io.ErrUnexpectedEOF { // the file has become shorter
		err = nil
	}
	return text[:n], err
}

// mostTables bounds the number of bytes that are read of an ELF file's tables. No real file has that many.
const mostTables = 256 << 20

// ELF is an ELF file. A limited number of bytes of its tables is read.
type ELF struct {
	*elf.File
	file *os.File
}

// OpenELF opens an ELF file. For a file of another kind it returns an [elf.FormatError].
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

// NewELF is OpenELF for a file that is open. Close closes the file.
func NewELF(f *os.File) (*ELF, error) {
	e, err := elf.NewFile(&bounded{f, mostTables})
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errors.New("the file ends before its ELF tables do")
		magic := make([]byte, len(elf.ELFMAG))
		if _, short := f.ReadAt(magic, 0); short != nil || string(magic) != elf.ELFMAG {
			err = &elf.FormatError{}
		}
	}
	if err != nil {
		return nil, err
	}
	return &ELF{e, f}, nil
}

// Close closes the file.
func (e *ELF) Close() error { return e.file.Close() }

// bounded fails after a number of bytes, since a damaged header may ask for any number.
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

// Section returns the contents of a section as in the file, up to most bytes; nil if there is no such section.
func (e *ELF) Section(name string, most uint64) ([]byte, error) {
	s := e.File.Section(name)
	if s == nil || s.Type == elf.SHT_NOBITS {
		return nil, nil
	}
	if s.FileSize > most {
		return nil, fmt.Errorf("section %s has %d bytes, more than %d", name, s.FileSize, most)
	}
	return io.ReadAll(io.NewSectionReader(e.file, int64(s.Offset), int64(s.FileSize))) // at most what the file has
}

// Memory returns how many bytes of memory this process may use: the machine's memory, or less if there are limits.
func Memory() uint64 {
	most := uint64(2 << 30)
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		most = uint64(info.Totalram) * uint64(info.Unit)
	}
	return within(most, syscall.Getrlimit, "/sys/fs/cgroup/memory.max")
}

// within returns the part of most that the limits allow: those of the process and of its container, which are in a
// file.
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
