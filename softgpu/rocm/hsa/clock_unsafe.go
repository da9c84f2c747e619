package hsa

import (
	"syscall"
	"unsafe"
)

const bootClock = 7 // CLOCK_BOOTTIME, which ROCr reads by itself as well

// Now returns the time by the clock of all nodes, in nanoseconds.
func Now() uint64 {
	var ts syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, bootClock, uintptr(unsafe.Pointer(&ts)), 0)
	return uint64(ts.Nano())
}
