package kfd

import (
	"fmt"
	"os"
	"sync"
	"syscall"
)

// store is the file that a GPU's memory lies in, and the host's memory that was allocated by it.
// Free places are holes.
type store struct {
	fd   int
	mu   sync.Mutex
	next uint64
	free map[uint64][]uint64 // places by size
}

// vramName is the file's name in the system.
const vramName = "mgpu-vram"

const hugePage = 2 << 20

// allocate finds size bytes that are zero.
func (s *store) allocate(size uint64) (offset uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if list := s.free[size]; len(list) > 0 {
		s.free[size] = list[:len(list)-1]
		return list[len(list)-1]
	}
	if s.next == 0 {
		s.next = hugePage // no place is 0
	}
	offset = s.next
	s.next += (size + hugePage - 1) &^ (hugePage - 1)
	return offset
}

// drop releases a place.
func (s *store) drop(offset, size uint64) {
	const punchHole, keepSize = 2, 1
	if syscall.Fallocate(s.fd, punchHole|keepSize, int64(offset), int64(size)) != nil {
		return // the next user would see its contents
	}
	_ = syscall.Fallocate(s.fd, punchHole|keepSize, notesPlace+int64(offset/hugePage)*noteSize, noteSize)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == nil {
		s.free = map[uint64][]uint64{}
	}
	s.free[size] = append(s.free[size], offset)
}

// Notes on pages are in the file, too, for other processes: a place for each huge page.
const (
	notesPlace = 1 << 48
	noteSize   = 512
)

func (p *pages) notePlace() int64 { return notesPlace + int64(p.offset/hugePage)*noteSize }

// note is the latest note; all zeros if there is none.
func (p *pages) note() note {
	b := make([]byte, noteSize)
	_, _ = syscall.Pread(p.fd, b, p.notePlace())
	return decode[note](b)
}

func (p *pages) setNote(n *note) syscall.Errno {
	if _, err := syscall.Pwrite(p.fd, encode(n), p.notePlace()); err != nil {
		return syscall.ENOMEM
	}
	return 0
}

// lentPlace follows the note of the pages at offset. It has the size that handles of IPC name, or 0.
func lentPlace(offset uint64) int64 { return notesPlace + int64(offset/hugePage+1)*noteSize - 8 }

// lend notes that a handle of IPC names the pages at p.
func lend(p place) syscall.Errno {
	if _, err := syscall.Pwrite(int(p.file), encode(&p.size), lentPlace(p.offset)); err != nil {
		return syscall.ENOMEM
	}
	return 0
}

// lent reports whether a handle of IPC names the pages at p: handles come from other programs, and may be damaged.
func lent(p place) bool {
	if p.size == 0 || p.offset%hugePage != 0 || p.offset >= notesPlace {
		return false
	}
	fd, err := openStore(p.process, p.file)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	b := make([]byte, 8)
	n, err := syscall.Pread(fd, b, lentPlace(p.offset))
	return err == nil && n == len(b) && decode[uint64](b) == p.size
}

// openStore opens a file of another process.
func openStore(pid, fd uint64) (int, error) {
	path := fmt.Sprintf("/proc/%d/fd/%d", pid, fd)
	if name, err := os.Readlink(path); err != nil || name != "/memfd:"+vramName+" (deleted)" {
		return -1, fmt.Errorf("%s is not memory of a GPU", path)
	}
	return syscall.Open(path, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
}
