package hostmem

import (
	"runtime"
	"syscall"
	"unsafe"
)

// mostPages bounds the number of pages after addr that Probe checks.
const mostPages = 16

// Probe is Map.Window for the current mappings, if /proc can't be used. It finds only a part of the range, which begins
// at the page of addr: each further page costs a system call or two.
func Probe(addr uintptr, write bool) (lo, hi uintptr, ok bool) {
	lo = addr &^ (uintptr(pageSize) - 1)
	n := probe(lo, uint64(mostPages*pageSize), write)
	return lo, lo + uintptr(n), n != 0
}

// Reach returns how many of the bytes from addr on are readable and, if write is set, writable.
func Reach(addr uintptr, bytes uint64, write bool) uint64 {
	m, err := Snapshot()
	if err != nil {
		return probe(addr, bytes, write)
	}
	if _, hi, ok := m.Window(addr, write); ok {
		return min(uint64(hi-addr), bytes)
	}
	return 0
}

// probe is Reach by one or two system calls per page, without a descriptor.
func probe(addr uintptr, bytes uint64, write bool) uint64 {
	done := uint64(0)
	for done < bytes {
		at := addr + uintptr(done)
		if at < addr || !mayRead(at) || write && !mayWrite(at) {
			return done
		}
		done += uint64(pageSize) - uint64(at)%uint64(pageSize)
	}
	return bytes
}

// mayRead makes the system read a signal set at addr for an invalid request, which changes nothing.
func mayRead(addr uintptr) bool {
	const nothing = ^uintptr(0)
	_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, nothing, addr&^7, 0, 8, 0, 0)
	return errno == syscall.EINVAL
}

// mayWrite makes the system add zero to the word at addr, atomically. A thread that waits for the word as a futex is
// not woken unless the word is below -2048; such a wake-up is one of the spurious ones that futexes allow.
func mayWrite(addr uintptr) bool {
	const (
		wakeOp  = 5 | 128                       // FUTEX_WAKE_OP, private
		addZero = 1<<28 | 2<<24 | 0<<12 | 0x800 // FUTEX_OP_ADD of 0, FUTEX_OP_CMP_LT with -2048
	)
	var unused uint32
	_, _, errno := syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&unused)), wakeOp, 0, 0, addr&^3, addZero)
	runtime.KeepAlive(&unused)
	return errno == 0
}
