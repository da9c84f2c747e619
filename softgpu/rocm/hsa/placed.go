package hsa

import "syscall"

// A driver gives memory to GPUs at addresses that the host chooses, maps and unmaps by itself.
// The pages stay mapped for as long as a GPU may touch them, whatever the host does: its
// calls of munmap and mmap come here first.

// Placement describes memory that a driver puts at an address.
type Placement struct {
	At, Size uint64 // as GPUs see it
	Node     uint32 // owner of the memory
	ReadOnly bool   // for GPUs

	// File has the pages, from Offset on. Without one they are the host's own at Host.
	File   int // -1: none
	Offset uint64
	Host   uint64

	Shared bool   // another process has allocated it
	Gone   func() // called once no GPU can touch the pages any more; it must call nothing of the System
}

// Place makes memory for GPUs at addresses that the host has reserved.
func (sys *System) Place(p Placement) (*Block, error) {
	b := &Block{lo: p.At, hi: p.At + p.Size, host: p.At, kind: allocated, node: p.Node, readOnly: p.ReadOnly, inFile: p.File >= 0, gone: p.Gone}
	if p.Shared {
		b.kind = shared
	}
	if !b.inFile {
		b.host = p.Host
		if b.aliased() {
			b.kind = registered
		}
	}
	s := &sys.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.supersede(b.lo, b.hi)
	if b.inFile {
		if _, err := mmapFile(p.File, b.lo, p.Size, p.Offset); err != nil {
			return nil, err
		}
	}
	if !b.aliased() && !p.Shared {
		b.guard = s.reserve(b.hi, sys.check.guard(p.Size))
	}
	s.allocations++
	b.serial = s.allocations
	s.add(b)
	sys.claim(b.lo, b.hi+b.guard)
	if b.aliased() {
		sys.claim(b.host, b.host+p.Size)
	}
	return b, nil
}

// claim has the host's unmapping of a range come to HostUnmap.
func (sys *System) claim(lo, hi uint64) {
	if sys.claimed != nil {
		sys.claimed(lo, hi)
	}
}

// reserve keeps up to size bytes of addresses from at on free of anything else, and returns how
// many they are.
func (s *space) reserve(at, size uint64) uint64 {
	for ; size >= page; size = size / 2 &^ (page - 1) {
		if _, err := mapPages(size, page, at, syscall.PROT_NONE); err == nil {
			return size
		}
	}
	return 0
}

// Show makes a block visible to nodes, a set with a bit for each node's number.
func (sys *System) Show(b *Block, nodes uint64) {
	sys.space.mu.Lock()
	defer sys.space.mu.Unlock()
	b.mapped |= nodeSet(nodes)
}

// Hide makes a block invisible to nodes.
func (sys *System) Hide(b *Block, nodes uint64) {
	sys.space.mu.Lock()
	defer sys.space.mu.Unlock()
	b.mapped &^= nodeSet(nodes)
}

// Withdraw ends a block. Its addresses are the host's again once no kernel can touch them.
func (sys *System) Withdraw(b *Block) {
	s := &sys.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(b)
	s.leaving = append(s.leaving, b)
	if s.guards && b.inFile && len(s.unmaps.running) == 0 {
		s.quarantine(b)
		if b.gone != nil {
			b.gone()
			b.gone = nil
		}
		return
	}
	s.vacateLater(b)
}

// vacateLater vacates a block, now or when the running kernels are over. mu is held.
func (s *space) vacateLater(b *Block) { s.unmapLater(func() { s.vacate(b) }) }

// vacate unmaps the pages that the host has unmapped meanwhile, and keeps the rest reserved. mu is held.
func (s *space) vacate(b *Block) {
	for i, x := range s.leaving {
		if x == b {
			s.leaving = append(s.leaving[:i], s.leaving[i+1:]...)
			switch {
			case b.hostGone:
				unmapPages(b.lo, b.size())
			case b.inFile:
				protect(b.lo, b.size())
			}
			break
		}
	}
	unmapPages(b.hi, b.guard)
	if b.gone != nil {
		b.gone()
	}
}

// supersede forgets the blocks that are leaving a range, which gets other pages. mu is held.
func (s *space) supersede(lo, hi uint64) {
	kept := s.leaving[:0]
	for _, b := range s.leaving {
		if b.lo < hi && lo < b.hi {
			if b.hi > hi { // the rest stays
				b.lo = hi
			} else if b.lo < lo {
				b.hi, b.guard = lo, 0
			} else {
				b.guard = 0
				continue
			}
		}
		kept = append(kept, b)
	}
	clear(s.leaving[len(kept):])
	s.leaving = kept
}

// HostUnmap unmaps a range for the host, or reserves it. What GPUs have there stays until they
// can't touch it any more.
func (sys *System) HostUnmap(lo, hi uint64, reserve bool) error {
	s := &sys.space
	s.mu.Lock()
	defer s.mu.Unlock()
	sys.forgetSVM(lo, hi)
	var stay []*Block
	for _, b := range s.blocks {
		if b.inFile && b.lo < hi && lo < b.hi {
			stay = append(stay, b)
		}
		if b.kind != internal && !b.inFile && b.host < hi && lo < b.host+b.size() {
			b.found.Store(^uint64(0)) // Alias looks again
			if !b.aliased() {
				b.mapped = 0
			}
		}
	}
	for _, b := range s.leaving {
		if b.lo < hi && lo < b.hi {
			stay = append(stay, b)
		}
	}
	for at := lo; at < hi; {
		var next *Block // that stays, the lowest from at on
		for _, b := range stay {
			if b.hi > at && b.lo < hi && (next == nil || b.lo < next.lo) {
				next = b
			}
		}
		end := hi
		if next != nil {
			end = max(at, next.lo)
		}
		if err := s.hostUnmap(at, end, reserve); err != nil {
			return err
		}
		if next == nil {
			break
		}
		if lo <= next.lo && next.hi <= hi {
			next.hostGone = !reserve
		}
		at = next.hi
	}
	return nil
}

// hostUnmap unmaps or reserves pages that no block holds. Where kernels run, they may be the
// host's own that a GPU uses, and stay until these are over. mu is held.
func (s *space) hostUnmap(lo, hi uint64, reserve bool) error {
	switch {
	case lo >= hi:
		return nil
	case reserve:
		_, err := mmap(lo, hi-lo, syscall.PROT_NONE, anonymous|syscall.MAP_FIXED)
		return err
	case len(s.unmaps.running) > 0:
		b := &Block{lo: lo, hi: hi, host: lo, hostGone: true}
		s.leaving = append(s.leaving, b)
		s.vacateLater(b)
		return nil
	}
	if _, _, errno := syscall.Syscall(syscall.SYS_MUNMAP, uintptr(lo), uintptr(hi-lo), 0); errno != 0 {
		return errno
	}
	return nil
}

// Keeps reports whether a range lies in one block that was placed with a file: the host may use its pages as they are.
func (sys *System) Keeps(lo, hi uint64) bool {
	sys.space.mu.RLock()
	defer sys.space.mu.RUnlock()
	b := sys.space.at(lo)
	return b != nil && b.inFile && hi <= b.hi
}

// Sees reports whether a node may access an address, where the host has the same memory at that address.
func (sys *System) Sees(node uint32, addr uint64, write bool) bool {
	lo, hi, ok := sys.gpus[node-firstGPU].view().Window(addr, write)
	return ok && addr >= lo && addr < hi
}

// Where returns the host's address of a node's address.
func (sys *System) Where(node uint32, addr uint64) (host uint64, ok bool) {
	if sys.Sees(node, addr, false) {
		return addr, true
	}
	lo, _, host, ok := sys.gpus[node-firstGPU].view().Alias(addr, false)
	return host + addr - lo, ok
}
