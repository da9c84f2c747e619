package mgpu

import (
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// A program may free a block of the library by a call of the driver, allocate other memory at the same address by a
// call of the driver, and free that by mgpuMemFree. The block must not be reused then, since its memory is gone. A
// query of the driver at each free would take longer than the free. So only a block's first free after its allocation
// by the driver makes the query. All frees make it once the program is seen to mix both ways: it frees memory by
// mgpuMemFree that the library did not allocate, or the driver allocates the address of a live block. With
// Config.CheckFrees all frees make the query from the start, and report what they find.

// mixesFrees notes that frees have to query the driver. From now on C leaves all frees to Go, since the limit of
// threads' free lists allows no block.
func (m *memory) mixesFrees() {
	if m.extents != nil && !m.asksExtents.Swap(true) {
		m.listLimit.Store(1)
	}
}

// forgetFreed drops the block that begins at an address, or contains it, if the program has freed the block's memory by
// a call of the driver.
func (f *frame) forgetFreed(ptr uintptr) {
	m := f.k.memory
	b := m.cache.Find(ptr)
	if b == nil {
		b = m.cache.Containing(ptr) // the free of an address within a block, or of another allocation
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
	line := fmt.Sprintf("mgpu check: leak: the block of %s at %#x was freed by another call than mgpuMemFree: %s", count.Of(b.Bytes(), "byte"), b.Ptr(), there)
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
