package hsakmt

import (
	"slices"
	"sort"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
)

// space is what GPUs may address: blocks that do not overlap.
type space struct {
	mu     sync.RWMutex
	blocks []*block           // by lo
	guests []*block           // the registered ones, by host address
	svm    []svmRange         // by address
	sets   map[nodeSet]uint64 // arrays of nodes that the host was given
	unmaps delayedUnmaps

	leaving []*block // placed ones that have ended and whose pages may be in use

	allocations, frees uint64   // so far
	quarantined        []*block // freed, and keep their addresses, oldest first
	guards             bool     // blocks keep a distance
}

// at finds the block that holds a GPU address. mu is held.
func (s *space) at(addr uint64) *block {
	i := sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].hi > addr })
	if i < len(s.blocks) && s.blocks[i].lo <= addr {
		return s.blocks[i]
	}
	return nil
}

// registeredAt finds a registered block by a host address: the one that begins there
// before others, and of several that do, the oldest. mu is held.
func (s *space) registeredAt(host uint64) *block {
	var within *block
	for _, b := range s.guests {
		if b.host > host {
			break
		}
		if b.start == host {
			return b
		}
		if host-b.host < b.size() {
			within = b
		}
	}
	return within
}

// registration is the registered block of exactly those bytes of the host's. mu is held.
func (s *space) registration(start, length uint64) *block {
	for _, b := range s.guests {
		if b.start == start && b.length == length {
			return b
		}
	}
	return nil
}

// find is the block of an address, be it the host's or a GPU's. mu is held.
func (s *space) find(addr uint64) *block {
	if b := s.at(addr); b != nil {
		return b
	}
	return s.registeredAt(addr)
}

// add puts b in. mu is held.
func (s *space) add(b *block) {
	i := sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].lo > b.lo })
	s.blocks = slices.Insert(s.blocks, i, b)
	if b.kind == registered {
		i = sort.Search(len(s.guests), func(i int) bool { return s.guests[i].host > b.host })
		s.guests = slices.Insert(s.guests, i, b)
	}
}

// remove takes b out. mu is held.
func (s *space) remove(b *block) {
	equal := func(x *block) bool { return x == b }
	s.blocks = slices.DeleteFunc(s.blocks, equal)
	if b.kind == registered {
		s.guests = slices.DeleteFunc(s.guests, equal)
	}
}

// view is the space as one node sees it: the emulator's memory.
type view struct {
	*space
	node  nodeSet
	pages bool // the node follows the host's page tables
}

// visible finds the block of an address that the node may access so.
func (v view) visible(addr uint64, write bool) (b *block, found bool) {
	b = v.at(addr)
	if b == nil {
		return nil, false
	}
	if b.mapped&v.node == 0 || write && b.flags&readOnly != 0 || addr >= b.end() {
		return nil, true
	}
	return b, true
}

// Window implements wave.Memory.
func (v view) Window(addr uint64, write bool) (lo, hi uint64, ok bool) {
	v.mu.RLock()
	b, known := v.visible(addr, write)
	if b != nil && !b.aliased() {
		lo, hi, ok = b.lo, b.end(), true
	}
	denied := v.svmDenies(addr, v.node) || !ok && v.guards && v.guarded(addr)
	granted, inRange := v.svmGrants(addr, v.node)
	v.mu.RUnlock()
	if ok || known || denied || !v.pages && !inRange {
		return lo, hi, ok
	}
	if !v.pages {
		defer func() { lo, hi = max(lo, granted.lo), min(hi, granted.hi) }()
	}
	l, h, ok, err := hostmem.Window(uintptr(addr), write)
	if err != nil {
		if m, err := hostmem.Snapshot(); err == nil {
			l, h, ok = m.Window(uintptr(addr), write)
		}
	}
	return uint64(l), uint64(h), ok
}

// Alias implements wave.Aliaser.
func (v view) Alias(addr uint64, write bool) (lo, hi, host uint64, ok bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	b, _ := v.visible(addr, write)
	if b == nil || !b.aliased() || !v.there(b) {
		return 0, 0, 0, false
	}
	return b.lo, b.hi, b.host, true
}

// there tells whether the host still has a registered block's pages, which it may have
// unmapped without a word. The system is asked once between two starts of kernels. mu is held.
func (s *space) there(b *block) bool {
	if b.found.Load() == s.unmaps.clock {
		return true
	}
	if !mapped(b.host, b.size()) {
		return false
	}
	b.found.Store(s.unmaps.clock)
	return true
}
