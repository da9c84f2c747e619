package softgpu

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// mapMemory allocates zeroed pages from the system, outside the Go heap.
func mapMemory(bytes uint64) ([]byte, error) {
	return syscall.Mmap(-1, 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
}

func unmapMemory(b []byte) { _ = syscall.Munmap(b) }

// closeMemory returns the pages but keeps the addresses, which must not be used afterwards.
func closeMemory(b []byte) bool {
	return syscall.Mprotect(b, syscall.PROT_NONE) == nil && syscall.Madvise(b, syscall.MADV_DONTNEED) == nil
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// pointerTo converts the address of memory outside the Go heap to a pointer.
func pointerTo(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// bytesAt returns memory outside the Go heap that is known to be mapped.
func bytesAt(addr uintptr, n uint64) []byte {
	return unsafe.Slice((*byte)(pointerTo(addr)), n)
}

// fill writes count elements of value to memory that is known to be mapped.
func fill[T uint8 | uint16 | uint32](addr uintptr, value T, count uint64) {
	if count == 0 {
		return
	}
	size := uint64(unsafe.Sizeof(value))
	b := bytesAt(addr, count*size)
	for i := range size {
		b[i] = byte(uint32(value) >> (8 * i))
	}
	for done := size; done < uint64(len(b)); done *= 2 {
		copy(b[done:], b[:done])
	}
}

// copyRefused is set once the system refuses the call for copies.
var copyRefused atomic.Bool

type iovec struct{ base, size uintptr }

// kernelCopy makes the system copy n bytes between two places of this process. It never faults. It returns how many
// bytes were copied, and false if the system has no such call.
func kernelCopy(dst, src uintptr, n uint64) (copied uint64, ok bool) {
	if copyRefused.Load() {
		return 0, false
	}
	const most = 1 << 30
	for copied < n {
		size := uintptr(min(n-copied, most))
		local := iovec{dst + uintptr(copied), size}
		remote := iovec{src + uintptr(copied), size}
		got, _, errno := syscall.Syscall6(sysProcessVMReadv, uintptr(syscall.Getpid()),
			uintptr(unsafe.Pointer(&local)), 1, uintptr(unsafe.Pointer(&remote)), 1, 0)
		runtime.KeepAlive(&local)
		runtime.KeepAlive(&remote)
		switch {
		case errno == syscall.EINTR:
		case errno == syscall.EFAULT, errno == 0 && got == 0:
			return copied, true
		case errno != 0:
			copyRefused.Store(true)
			return copied, false
		}
		copied += uint64(got)
	}
	return copied, true
}
