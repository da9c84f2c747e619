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

// AsksForLeaks reports whether a list, as Options.Check takes it, asks for what is never
// given back. Drivers do not see that.
func AsksForLeaks(list string) bool {
	modes, err := check.ParseModes(list)
	return err == nil && modes.Leak
}

// KnowsChecksOfHIP returns why a list can't be followed below AMD's HIP, where not everything can
// be seen.
func KnowsChecksOfHIP(list string) error {
	_, err := check.ParseModesOfHIP(list)
	return err
}

// ChecksWithoutLeak is a list without "leak", which the library in front of AMD's HIP looks for.
func ChecksWithoutLeak(list string) string { return check.WithoutLeak(list) }

// AsksForChecks reports whether a list, as Options.Check takes it, asks for checks of kernels.
// An error says which word of it has no meaning.
func AsksForChecks(list string) (bool, error) {
	modes, err := check.ParseModes(list)
	return modes.Any(), err
}

// CheckSummary is a line about what Options.Check found so far, empty if there
// is none to write.
func (d *Driver) CheckSummary() string {
	if d.check == nil {
		return ""
	}
	return d.check.Summary()
}

// history is what checking adds to a block: where it comes from, and which bytes of
// it were written.
type history struct {
	size             uint64
	allocated, freed uint64 // numbers of the program's calls; zero: unknown, or not freed
	dead             bool
	site             uintptr // of the program, to which the allocation returned; zero: unknown
	written          *check.Written
}

// guards are what the heap does for checking.
type guards struct {
	calls      func() uint64 // numbers of the program's calls
	sites      atomic.Pointer[func(site uintptr) string]
	apart      bool        // blocks keep a distance, and freed ones their addresses for long
	written    bool        // and what is written is counted
	quarantine []freedSlot // of small blocks, oldest first
}

// freedSlot is a slot that is not used again for a while.
type freedSlot struct {
	r    *region
	slot uint16
}

// Blocks that are watched keep a distance of at least their own size, or of the
// smallest slot; from largestNear bytes on they have a region of their own.
// mostQuarantined small ones, and mostFreedLong large ones, are freed before the first's
// addresses are used again.
const (
	largestNear     = 4 << 10
	mostQuarantined = 1 << 14
	mostFreedLong   = 1 << 12
)

// classOf is the class of slots for a block of own's.
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

// watch begins a block's trace. What the host may write to unseen counts as written.
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

// quarantined keeps a freed small block's slot from being used again soon. The heap is locked.
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

// traced are the device's blocks as package check sees them.
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

// wrote takes note of a copy or a fill.
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

// origin tells where a block comes from, and where it went.
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

// describe says where addr lies in relation to the program's blocks, empty if far
// from all of them.
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

// nearest is the slot whose block is or was nearest to addr; the slot around addr
// where none is known.
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
