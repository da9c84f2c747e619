package soft

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
)

// view is the memory that one running kernel sees: every block of the devices,
// and whatever else the process has mapped, but nothing between the blocks.
//
// The process's mappings are read when a kernel first needs them, and again
// when it meets an address that was not among them, or when a mapping that an
// earlier kernel found is not there any more. What the host unmaps, or takes
// permissions from, while a kernel uses it stays in view until the kernel ends,
// and permissions that it takes between two kernels can go unnoticed: such an
// access raises SIGSEGV, as a host thread's would. A GPU reports a fault there,
// but it has a memory management unit of its own.
type view struct {
	heap *heap

	mu    sync.Mutex
	host  hostmem.Map
	fresh bool // host was read since the kernel started
}

// reset makes the view doubt the host's mappings, before another kernel starts.
func (v *view) reset() { v.fresh = false }

// Window implements gcn.Memory.
func (v *view) Window(addr uint64, write bool) (lo, hi uint64, ok bool) {
	if l, h, _, ok := v.heap.find(uintptr(addr)); ok {
		// Loads as wide as their alignment may reach over the end of a block.
		return uint64(l), uint64(h+3) &^ 3, true
	}
	l, h, ok := v.hostWindow(uintptr(addr), write)
	return uint64(l), uint64(h), ok
}

func (v *view) hostWindow(addr uintptr, write bool) (lo, hi uintptr, ok bool) {
	if _, _, reserved := v.heap.reserved(addr, 0, 0); reserved {
		return 0, 0, false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	lo, hi, ok = v.host.Window(addr, write)
	if !ok || !v.fresh && !stillMapped(lo, hi) {
		if v.host.Refresh() != nil {
			return 0, 0, false
		}
		v.fresh = true
		if lo, hi, ok = v.host.Window(addr, write); !ok {
			return 0, 0, false
		}
	}
	lo, hi, reserved := v.heap.reserved(addr, lo, hi)
	return lo, hi, !reserved
}
