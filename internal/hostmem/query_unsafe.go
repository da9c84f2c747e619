package hostmem

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// procmapQuery is struct procmap_query of linux/fs.h.
type procmapQuery struct {
	size, flags, addr                     uint64
	lo, hi, perm, pageSize, offset, inode uint64
	major, minor                          uint32
	nameSize, buildIDSize                 uint32
	nameAddr, buildIDAddr                 uint64
}

const (
	procmapRead  = 1 // bits of procmapQuery.perm
	procmapWrite = 2

	sizeOfQuery = unsafe.Sizeof(procmapQuery{})
	askProcmap  = 3<<30 | sizeOfQuery<<16 | 'f'<<8 | 17 // PROCMAP_QUERY
)

// ErrNoQuery says that the kernel has no queries for single mappings: it is older than Linux 6.11, or the process is
// not allowed to make them.
var ErrNoQuery = errors.New("the kernel does not tell about single mappings")

var queryRefused atomic.Bool

// mostNeighbours bounds the regions that Window merges on each side.
const mostNeighbours = 16

// Window is Map.Window for the current mappings without a snapshot, so its cost does not depend on the number of
// regions. It merges only a limited number of neighbouring regions around addr. The error is ErrNoQuery, or says why
// /proc/self/maps can't be used.
func Window(addr uintptr, write bool) (lo, hi uintptr, ok bool, err error) {
	if queryRefused.Load() {
		return 0, 0, false, ErrNoQuery
	}
	fd, err := open("maps")
	if err != nil {
		return 0, 0, false, fmt.Errorf("/proc/self/maps: %w", err)
	}
	defer syscall.Close(fd)
	need := uint64(procmapRead)
	if write {
		need |= procmapWrite
	}
	if lo, hi, ok, err = regionAt(fd, addr, need); !ok {
		return 0, 0, false, err
	}
	for range mostNeighbours {
		l, _, ok, _ := regionAt(fd, lo-1, need)
		if !ok {
			break
		}
		lo = l
	}
	for range mostNeighbours {
		_, h, ok, _ := regionAt(fd, hi, need)
		if !ok {
			break
		}
		hi = h
	}
	return lo, hi, true, nil
}

// regionAt queries the region that contains addr. ok is false if no region with all permissions in need contains it.
func regionAt(fd int, addr uintptr, need uint64) (lo, hi uintptr, ok bool, err error) {
	q := procmapQuery{size: uint64(sizeOfQuery), addr: uint64(addr)}
	_, _, errno := syscall.RawSyscall(syscall.SYS_IOCTL, uintptr(fd), askProcmap, uintptr(unsafe.Pointer(&q)))
	runtime.KeepAlive(&q)
	switch errno {
	case 0:
		return uintptr(q.lo), uintptr(q.hi), q.perm&need == need, nil
	case syscall.ENOENT:
		return 0, 0, false, nil
	case syscall.ENOTTY, syscall.ENOSYS, syscall.EPERM, syscall.EINVAL:
		queryRefused.Store(true)
		return 0, 0, false, ErrNoQuery
	}
	return 0, 0, false, fmt.Errorf("/proc/self/maps: %w", errno)
}
