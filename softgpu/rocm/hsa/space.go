package hsa

import (
	"slices"
	"sort"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
)

// space is the memory that GPUs may address: blocks that do not overlap.
type space struct {
	mu     sync.RWMutex
	blocks []*Block   // by lo
	svm    []svmRange // by address
	unmaps delayedUnmaps

	leaving []*Block // placed ones that have ended and whose pages may be in use

	allocations, frees uint64   // so far
	quarantined        []*Block // freed, and keep their addresses, oldest first
	guards             bool     // blocks keep a distance
}

// at finds the block that holds a GPU address. mu is held.
func (s *space) at(addr uint64) *Block {
	i := sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].hi > addr })
	if i < len(s.blocks) && s.blocks[i].lo <= addr {
		return s.blocks[i]
	}
	return nil
}

// add puts b in. mu is held.
func (s *space) add(b *Block) {
	i := sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].lo > b.lo })
	s.blocks = slices.Insert(s.blocks, i, b)
}

// remove takes b out. mu is held.
func (s *space) remove(b *Block) {
	s.blocks = slices.DeleteFunc(s.blocks, func(x *Block) bool { return x == b })
}

// view is the space as one node sees it: the emulator's memory.
type view struct {
	*space
	node  nodeSet
	pages bool // the node follows the host's page tables
}

// visible finds the block of an address that the node may access so.
func (v view) visible(addr uint64, write bool) (b *Block, found bool) {
	b = v.at(addr)
	if b == nil {
		return nil, false
	}
	if b.mapped&v.node == 0 || write && b.readOnly || addr >= b.end() {
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
	grantedLo, grantedHi, inRange := v.svmGrants(addr, v.node)
	v.mu.RUnlock()
	if ok || known || denied || !v.pages && !inRange {
		return lo, hi, ok
	}
	if !v.pages {
		defer func() { lo, hi = max(lo, grantedLo), min(hi, grantedHi) }()
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

// there reports whether the host still has a registered block's pages, since it may unmap them without
// a call of this package. The system is asked once between two starts of kernels. mu is held.
func (s *space) there(b *Block) bool {
	if b.found.Load() == s.unmaps.clock {
		return true
	}
	if !mapped(b.host, b.size()) {
		return false
	}
	b.found.Store(s.unmaps.clock)
	return true
}
