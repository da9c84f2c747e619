package hsa

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/count"
)

// Allocation is a block that the program has asked AMD's libraries for.
type Allocation struct {
	Address, Size uint64
	Site          Site
	Device        int32 // HIP's number of the current device; -1: none
	Pooled        bool  // the block is part of a pool's memory, and freed in a stream's order
}

// ledger holds the blocks that the program has allocated and not freed, for MGPU_CHECK=leak.
type ledger struct {
	mu    sync.Mutex
	open  map[uint64][]holding // by address; more than one while a free is not noted yet, the oldest first
	sites map[Site]*Site
	last  uint64 // number of allocations so far
}

type holding struct {
	size    uint64
	device  int32
	ordinal uint64 // among allocations
	site    *Site
}

func newLedger() *ledger { return &ledger{open: map[uint64][]holding{}, sites: map[Site]*Site{}} }

// gets enters a block that was allocated.
func (l *ledger) gets(a *Allocation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	site := l.sites[a.Site]
	if site == nil {
		site = new(Site)
		*site = a.Site
		l.sites[a.Site] = site
	}
	l.last++
	l.open[a.Address] = append(l.open[a.Address], holding{a.Size, a.Device, l.last, site})
}

// gives removes the block that was freed by an address in it.
func (l *ledger) gives(address uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open[address]) == 0 {
		found := false
		for at, all := range l.open {
			if address > at && address-at < all[0].size {
				address, found = at, true
				break
			}
		}
		if !found {
			return
		}
	}
	if l.open[address] = l.open[address][1:]; len(l.open[address]) == 0 {
		delete(l.open, address)
	}
}

// resets removes the blocks of a device, which HIP has freed.
func (l *ledger) resets(device int32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for at, all := range l.open {
		if all = slices.DeleteFunc(all, func(h holding) bool { return h.device == device }); len(all) == 0 {
			delete(l.open, at)
		} else {
			l.open[at] = all
		}
	}
}

// leak is what one place of the program has allocated and not freed.
type leak struct {
	site          string
	blocks        int
	bytes, latest uint64
}

func (l *leak) String() string {
	which := ""
	if l.blocks != 1 {
		which = "the last "
	}
	return fmt.Sprintf("%s, %s never freed, %sallocated by %s", count.Of(l.blocks, "block of memory", "blocks of memory"), count.Of(l.bytes, "byte"), which, l.site)
}

// leaks are those of all places, the most bytes first, and the number of allocations so far.
func (l *ledger) leaks() (all []*leak, allocations uint64) {
	l.mu.Lock()
	var left []holding
	for _, open := range l.open {
		left = append(left, open...)
	}
	allocations = l.last
	l.mu.Unlock()
	sums := map[string]*leak{}
	for _, h := range left {
		at := h.site.String()
		s := sums[at]
		if s == nil {
			s = &leak{site: at}
			sums[at] = s
			all = append(all, s)
		}
		s.blocks++
		s.bytes += h.size
		s.latest = max(s.latest, h.ordinal)
	}
	slices.SortFunc(all, func(a, b *leak) int { return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.latest, b.latest)) })
	return all, allocations
}

// Allocated notes a block that the program has just allocated. The checker takes its size and site for the
// driver's block, and the ledger enters it.
func (sys *System) Allocated(a *Allocation) {
	if sys.ledger != nil {
		sys.ledger.gets(a)
	}
	// A kernel may still use a pool's block for a stream's earlier allocation, of another size.
	if sys.check != nil && !a.Pooled {
		sys.space.measure(a)
	}
}

// Released notes that the program has freed the block that an address is in.
func (sys *System) Released(address uint64) {
	if sys.ledger != nil {
		sys.ledger.gives(address)
	}
}

// Reset notes that the program has reset a device of HIP's.
func (sys *System) Reset(device int32) {
	if sys.ledger != nil {
		sys.ledger.resets(device)
	}
}

// Leaks reports, for MGPU_CHECK=leak, what the program has not freed, each place as a finding. It returns a line
// if there is nothing to report; empty without the check.
func (sys *System) Leaks() string {
	if sys.ledger == nil {
		return ""
	}
	all, allocations := sys.ledger.leaks()
	for _, l := range all {
		_, _ = fmt.Fprintf(sys.findings, "mgpu check: leak: %s\n", l)
	}
	switch {
	case len(all) > 0:
		return ""
	case allocations == 0:
		return "mgpu check: leak: no allocation of the program was seen"
	}
	return "mgpu check: leak: everything was given back"
}
