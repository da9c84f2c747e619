package softgpu

import (
	"fmt"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/check"
)

var _ driver.CallCounter = (*Driver)(nil)

// CountCalls implements driver.CallCounter.
func (d *Driver) CountCalls(number func() uint64) {
	if d.check != nil {
		d.check.CountCalls(number)
	}
}

var _ driver.SiteTeller = (*Driver)(nil)

// NameSites implements driver.SiteTeller.
func (d *Driver) NameSites(name func(site uintptr) string) {
	if g := d.heap.guards; g != nil {
		g.sites.Store(&name)
	}
}

// AllocatedAt implements driver.SiteTeller.
func (d *Driver) AllocatedAt(p driver.Ptr, site uintptr) {
	h := d.heap
	if h.guards == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, slot := h.at(uintptr(p)); r != nil && r.slots[slot].trace != nil {
		r.slots[slot].trace.site = site
	}
}

// AsksForLeaks reports whether a list, in the form of Options.Check, asks for leaks, which drivers do not check.
func AsksForLeaks(list string) bool { return check.AsksForLeaks(list) }

// AsksForChecks reports whether a list, in the form of Options.Check, asks for checks of kernels. The error names an
// invalid word.
func AsksForChecks(list string) (bool, error) {
	modes, err := check.ParseModes(list)
	return modes.Any(), err
}

// CheckSummary returns a line about the findings of Options.Check so far; empty if there is nothing to report.
func (d *Driver) CheckSummary() string {
	if d.check == nil {
		return ""
	}
	return d.check.Summary()
}

// history is the checker's data about a block: where it comes from, and which bytes of it were written.
type history struct {
	size             uint64
	allocated, freed uint64 // numbers of the program's calls; zero: unknown, or not freed
	dead             bool
	site             uintptr // return address of the allocation in the program; zero: unknown
	written          *check.Written
}

// guards is the heap's state for checking.
type guards struct {
	calls      func() uint64 // numbers of the program's calls
	sites      atomic.Pointer[func(site uintptr) string]
	apart      bool        // blocks keep a distance, and freed blocks keep their addresses for a long time
	written    bool        // written bytes are recorded, too
	quarantine []freedSlot // of small blocks, oldest first
}

// freedSlot is a slot that is not reused for a while.
type freedSlot struct {
	r    *region
	slot uint16
}

// Checked blocks keep a distance of at least their own size, or of the smallest slot. From largestNear bytes on they
// have their own region. The addresses of a freed block are reused only after mostQuarantined small blocks, or
// mostFreedLong large ones, were freed.
const (
	largestNear     = 4 << 10
	mostQuarantined = 1 << 14
	mostFreedLong   = 1 << 12
)

// classOf returns the class of slots for a block of owner own.
func (h *heap) classOf(size uint64, own owner) int {
	switch {
	case own != programs:
		return slotClass(size)
	case !h.exact():
		return slotClass(wholePages(size))
	case size > largestNear:
		return slotClasses
	}
	return slotClass(size + max(size, smallestSlot))
}

// watch begins a block's history. Memory that the host may write unseen counts as written.
func (h *heap) watch(addr uintptr, shared bool) {
	g := h.guards
	if g == nil {
		return
	}
	h.mu.Lock()
	r, slot := h.at(addr)
	b := &r.slots[slot]
	b.trace = &history{size: b.size, allocated: g.calls()}
	size, counted := b.size, g.written && !shared
	if counted {
		b.trace.written = check.NewWritten(size)
	}
	h.mu.Unlock()
	if counted {
		fill(addr, uint8(check.Fresh), size)
	}
}

// quarantined delays the reuse of a freed small block's slot. The caller has locked the heap.
func (h *heap) quarantined(r *region, slot int, t *history) bool {
	g := h.guards
	if g == nil || t == nil {
		return false
	}
	t.freed, t.dead = g.calls(), true
	r.slots[slot].trace = t
	if !g.apart || r.class < 0 {
		return false
	}
	g.quarantine = append(g.quarantine, freedSlot{r, uint16(slot)})
	if len(g.quarantine) > mostQuarantined {
		oldest := g.quarantine[0]
		g.quarantine = g.quarantine[1:]
		h.reuse(oldest.r, int(oldest.slot))
	}
	return true
}

// traced implements check.Blocks for the device's blocks.
type traced struct{ heap *heap }

// Find implements check.Blocks.
func (t traced) Find(addr uint64) (check.Block, bool) {
	lo, hi, b, ok := t.heap.find(uintptr(addr))
	if !ok {
		return check.Block{}, false
	}
	found := check.Block{Lo: uint64(lo), Hi: uint64(hi)}
	if b.trace != nil {
		found.Written = b.trace.written
	}
	return found, true
}

// Describe implements check.Blocks.
func (t traced) Describe(addr uint64) string {
	if text := t.heap.describe(uintptr(addr)); text != "" {
		return text
	}
	if hostmem.Read(make([]byte, 1), uintptr(addr)) == nil {
		return "host memory that is not registered: gpu.host_register, or a copy to gpu.alloc's memory, lets a GPU reach it"
	}
	return ""
}

// wrote records the written bytes of a copy or a fill.
func (h *heap) wrote(dst, src uintptr, bytes uint64) {
	if h.guards == nil || !h.guards.written {
		return
	}
	lo, _, to, ok := h.find(dst)
	if !ok || to.trace == nil || to.trace.written == nil {
		return
	}
	off := uint64(dst - lo)
	if from, _, b, ok := h.find(src); ok && b.trace != nil && b.trace.written != nil {
		to.trace.written.Copy(off, b.trace.written, uint64(src-from), bytes)
		return
	}
	to.trace.written.Mark(off, bytes)
}

// origin describes where a block was allocated, and where it was freed.
func (g *guards) origin(t *history) string {
	if t == nil {
		return ""
	}
	s := ""
	if t.allocated > 0 {
		s += fmt.Sprintf(", allocated by mgpu call %d", t.allocated)
		if name := g.sites.Load(); name != nil && t.site != 0 {
			if at := (*name)(t.site); at != "" {
				s += " from " + at
			}
		}
	}
	if t.freed > 0 {
		s += fmt.Sprintf(", freed by mgpu call %d", t.freed)
	}
	return s
}

// describe describes the position of addr relative to the program's blocks; empty if addr is far from all of them.
func (h *heap) describe(addr uintptr) string {
	h.mu.RLock()
	defer h.mu.RUnlock()
	i := h.after(addr)
	if i == len(h.regions) || addr < h.regions[i].lo-margin || h.regions[i].owner != programs {
		return ""
	}
	r := h.regions[i]
	slot := 0
	if r.class >= 0 {
		slot = r.nearest(addr)
	}
	base, b := r.base(slot), &r.slots[slot]
	size := uintptr(b.size)
	if b.trace != nil {
		size = uintptr(b.trace.size)
	}
	block := fmt.Sprintf("the block of %s at %#x%s", count.Of(size, "byte"), base, h.guards.origin(b.trace))
	freed := b.size == 0 || b.condemned
	switch {
	case freed && b.trace == nil:
		return "in or next to a block that was freed"
	case addr < base:
		return count.Of(base-addr, "byte") + " before " + block
	case addr >= base+size:
		return count.Of(addr-base-size, "byte") + " past the end of " + block
	case freed:
		return fmt.Sprintf("byte %d of a block that was freed: %s", addr-base, block)
	}
	return fmt.Sprintf("byte %d of %s", addr-base, block)
}

// nearest returns the slot whose block is or was nearest to addr; the slot that contains addr if none is known.
func (r *region) nearest(addr uintptr) int {
	at := 0
	if addr >= r.lo {
		at = min(int((addr-r.lo)/(smallestSlot<<r.class)), len(r.slots)-1)
	}
	best, least := at, ^uintptr(0)
	for slot := max(at-1, 0); slot <= min(at+1, len(r.slots)-1); slot++ {
		b := &r.slots[slot]
		if b.size == 0 && b.trace == nil {
			continue
		}
		size := uintptr(b.size)
		if b.trace != nil {
			size = uintptr(b.trace.size)
		}
		lo, away := r.base(slot), uintptr(0)
		switch {
		case addr < lo:
			away = lo - addr
		case addr >= lo+size:
			away = addr - lo - size + 1
		}
		if away < least {
			best, least = slot, away
		}
	}
	return best
}
