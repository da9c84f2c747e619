package hostfile

import (
	"runtime"
	"syscall"
	"unsafe"
)

// The signals that a failed write sends to its own thread. By default they end the process.
const raised = 1<<(syscall.SIGXFSZ-1) | 1<<(syscall.SIGPIPE-1)

// quietly calls f, whose last error is that of a system call, and discards the signal that the call has raised. The
// thread's mask is unchanged afterwards.
func quietly(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const block, set = 0, 2
	signals, before := uint64(raised), uint64(0)
	if signal(syscall.SYS_RT_SIGPROCMASK, block, &signals, &before) != 0 {
		return f()
	}
	defer signal(syscall.SYS_RT_SIGPROCMASK, set, &before, nil)
	var pending uint64
	_, _, _ = syscall.RawSyscall(syscall.SYS_RT_SIGPENDING, uintptr(unsafe.Pointer(&pending)), 8, 0)
	err := f()
	if signals &^= pending; err == syscall.EFBIG || err == syscall.EPIPE {
		var atOnce syscall.Timespec
		_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGTIMEDWAIT, uintptr(unsafe.Pointer(&signals)), 0, uintptr(unsafe.Pointer(&atOnce)), 8, 0, 0)
	}
	return err
}

func signal(call, how uintptr, set, before *uint64) syscall.Errno {
	_, _, errno := syscall.RawSyscall6(call, how, uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(before)), 8, 0, 0)
	return errno
}
