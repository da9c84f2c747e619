package hostmem

import (
	"runtime"
	"syscall"
	"unsafe"
)

type iovec struct {
	base uintptr
	size uintptr
}

type localIovec struct {
	base *byte
	size uintptr
}

// vmReadv makes one process_vm_readv call on this process. It blocks only for page faults, so Go's scheduler need not
// know of it.
func vmReadv(dst []byte, addr uintptr) (int, error) {
	local := localIovec{base: unsafe.SliceData(dst), size: uintptr(len(dst))}
	remote := iovec{base: addr, size: uintptr(len(dst))}
	n, _, errno := syscall.RawSyscall6(sysProcessVMReadv, uintptr(syscall.Getpid()),
		uintptr(unsafe.Pointer(&local)), 1, uintptr(unsafe.Pointer(&remote)), 1, 0)
	runtime.KeepAlive(dst)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// copyFrom copies memory that is known to be readable.
func copyFrom(dst []byte, addr uintptr) {
	if len(dst) > 0 {
		copy(dst, unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&addr))), len(dst)))
	}
}
