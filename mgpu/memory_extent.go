package mgpu

import (
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// A program may free a block of the library's by the vendor's calls, get other memory at the
// same address from them, and free that by mgpuMemFree. The block must not be given out again:
// its memory is gone. A question to the driver at each free would take longer than the free. So
// a block's first free asks, which comes after an allocation by the driver. All frees ask once
// the program is seen to mix the two: it frees memory by mgpuMemFree that the library did not
// allocate, or the driver allocates where the library has a block. With Config.CheckFrees they
// ask from the beginning, and what they find is told.

// mixesFrees notes that frees have to ask. C leaves all of them to Go from now on, since it may
// put no block on a list.
func (m *memory) mixesFrees() {
	if m.extents != nil && !m.asksExtents.Swap(true) {
		m.listLimit.Store(1)
	}
}

// forgetFreed drops the block that begins at an address, or holds it, if the program has freed
// its memory by the vendor's calls.
func (f *frame) forgetFreed(ptr uintptr) {
	m := f.k.memory
	b := m.cache.Find(ptr)
	if b == nil {
		b = m.cache.Containing(ptr) // no free of the program's, or of another allocation
	}
	exact := b != nil && b.Ptr() == ptr
	if m.extents == nil || b.State() != alloccache.Live || exact && b.Trusted() && !m.asksExtents.Load() {
		return
	}
	base, bytes, err := f.ExtentOf(driver.Ptr(ptr))
	gone := errors.Is(err, driver.InvalidValue) || errors.Is(err, driver.NotFound)
	if err != nil && !gone || uintptr(base) == b.Ptr() && bytes >= b.Bytes() {
		if exact {
			m.cache.Trust(b)
		}
		return
	}
	there := "nothing is there now"
	if !gone {
		there = fmt.Sprintf("%d bytes are there now", bytes)
	}
	line := fmt.Sprintf("mgpu check: leak: the block of %d bytes at %#x was freed by another call than mgpuMemFree: %s", b.Bytes(), b.Ptr(), there)
	if !m.cache.Forget(b) {
		return
	}
	m.mixesFrees()
	if f.r.cfg.CheckFrees != nil {
		f.r.cfg.CheckFrees(line)
	}
}

func (m *meter) ExtentOf(p driver.Ptr) (base driver.Ptr, bytes uint64, err error) {
	defer m.charge().stop()
	return m.drv.(driver.Extenter).ExtentOf(p)
}
