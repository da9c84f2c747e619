package softgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
)

// view is the memory that a running kernel may access: every block of the devices, and all other memory that the
// process has mapped, without the gaps between blocks.
//
// Each launch queries the system for every host region at its first access there, so mappings and permissions are those
// of a moment after the kernel started. Memory that the host unmaps or protects while a kernel uses it stays in view
// until the kernel ends: an access raises SIGSEGV, as in a thread of the host. A GPU, with its own memory management
// unit, reports a fault.
type view struct {
	heap   *heap
	within *registrations // only registered host memory; nil: all

	mu    sync.Mutex
	known []hostWindow // queried since the kernel started
	host  hostmem.Map  // a snapshot, used if queries for single regions are too many or not possible
	fresh bool         // host was read since the kernel started
	blind bool         // host can't be read: each page is probed
}

// hostWindow is a range of host memory that is readable, and writable if write is set.
type hostWindow struct {
	lo, hi uintptr
	write  bool
}

// mostKnown is for how many regions a launch makes single queries. Beyond it, a snapshot of all regions is cheaper.
const mostKnown = 16

// reset makes the view query the host's mappings again, before another kernel starts.
func (v *view) reset() { v.known, v.fresh, v.blind = v.known[:0], false, false }

// Window implements wave.Memory.
func (v *view) Window(addr uint64, write bool) (lo, hi uint64, ok bool) {
	if l, h, ok := v.heap.window(uintptr(addr), write); ok {
		return uint64(l), uint64(h), true
	}
	l, h, ok := v.hostWindow(uintptr(addr), write)
	return uint64(l), uint64(h), ok
}

func (v *view) hostWindow(addr uintptr, write bool) (lo, hi uintptr, ok bool) {
	if _, _, reserved := v.heap.reserved(addr, 0, 0); reserved {
		return 0, 0, false
	}
	if v.within != nil {
		return v.within.around(addr)
	}
	if lo, hi, ok = v.mapped(addr, write); !ok {
		return 0, 0, false
	}
	lo, hi, reserved := v.heap.reserved(addr, lo, hi)
	return lo, hi, !reserved
}

// mapped returns the range around addr that the process may access.
func (v *view) mapped(addr uintptr, write bool) (lo, hi uintptr, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, k := range v.known {
		if addr >= k.lo && addr < k.hi && (k.write || !write) {
			return k.lo, k.hi, true
		}
	}
	if v.blind {
		return hostmem.Probe(addr, write)
	}
	if len(v.known) < mostKnown {
		lo, hi, ok, err := hostmem.Window(addr, write)
		if ok {
			v.known = append(v.known, hostWindow{lo, hi, write})
		}
		if err == nil {
			return lo, hi, ok
		}
	}
	if v.fresh {
		if lo, hi, ok = v.host.Window(addr, write); ok {
			return lo, hi, true
		}
	}
	if v.fresh = v.host.Refresh() == nil; !v.fresh {
		v.blind = true
		return hostmem.Probe(addr, write)
	}
	return v.host.Window(addr, write)
}
