package hsakmt

import (
	"syscall"
	"unsafe"
)

const bootClock = 7 // CLOCK_BOOTTIME, which ROCr reads by itself as well

// now is the clock of all nodes, in nanoseconds.
func now() uint64 {
	var ts syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, bootClock, uintptr(unsafe.Pointer(&ts)), 0)
	return uint64(ts.Nano())
}

// GetClockCounters stores the time of a node's clocks, which all count nanoseconds.
func (t *Thunk) GetClockCounters(node uint32, counters uint64) Status {
	if int(node) >= t.nodes() {
		return InvalidNode
	}
	ns := now()
	newRecord(counters, 0, clockCounters, t.release()).setAll(values{
		"GPUClockCounter": ns, "CPUClockCounter": ns, "SystemClockCounter": ns, "SystemClockFrequencyHz": 1e9,
	})
	return Success
}
