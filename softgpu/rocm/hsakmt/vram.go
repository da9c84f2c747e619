package hsakmt

import (
	"fmt"
	"os"
	"sync"
	"syscall"
)

// vram is the file that GPUs' memory lies in, so that other processes can map parts of
// it. Places in it are never used twice: a freed one is a hole.
type vram struct {
	mu   sync.Mutex
	fd   int // -1: there is no such file, and memory can't be shared
	next uint64
}

// vramName is what the system calls the file.
const vramName = "mgpu-vram"

func (v *vram) open() {
	fd, err := memfd(vramName)
	if err != nil {
		fd = -1
	}
	v.fd = fd
}

// extend adds size bytes to the file and returns where they are.
func (v *vram) extend(size uint64) (offset uint64, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.fd < 0 || syscall.Ftruncate(v.fd, int64(v.next+size)) != nil {
		return 0, false
	}
	offset = v.next
	v.next += size
	return offset, true
}

// pages maps new pages of the file over addresses that are mapped. It returns false
// where they stay what they are.
func (v *vram) pages(at, size uint64) (offset uint64, ok bool) {
	if offset, ok = v.extend(size); !ok {
		return 0, false
	}
	_, err := mmapFile(v.fd, at, size, offset)
	return offset, err == nil
}

// drop gives the system back what lies at offset.
func (v *vram) drop(offset, size uint64) {
	const punchHole, keepSize = 2, 1
	_ = syscall.Fallocate(v.fd, punchHole|keepSize, int64(offset), int64(size))
}

// openVRAM opens the file of another process.
func openVRAM(pid, fd uint32) (int, error) {
	path := fmt.Sprintf("/proc/%d/fd/%d", pid, fd)
	if name, err := os.Readlink(path); err != nil || name != "/memfd:"+vramName+" (deleted)" {
		return -1, fmt.Errorf("%s is no memory of a GPU", path)
	}
	return syscall.Open(path, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
}
