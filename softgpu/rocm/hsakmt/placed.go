package hsakmt

import "syscall"

// A driver gives memory to GPUs at addresses that the host chooses, maps and unmaps by itself.
// The pages stay mapped for as long as a GPU may touch them, whatever the host does: its
// calls of munmap and mmap come here first.

// Placement says where a driver puts memory, and what it is.
type Placement struct {
	At, Size uint64 // as GPUs see it
	Node     uint32 // whose memory it is
	ReadOnly bool   // for GPUs

	// File has the pages, from Offset on. Without one they are the host's own at Host.
	File   int // -1: none
	Offset uint64
	Host   uint64

	Shared bool   // another process has allocated it
	Gone   func() // called once no GPU can touch the pages any more; it must call nothing of the Thunk
}

// Block is memory that was placed.
type Block struct{ block }

// Place makes memory that GPUs can be shown, over what the host has reserved there.
func (t *Thunk) Place(p Placement) (*Block, error) {
	b := &Block{block{lo: p.At, hi: p.At + p.Size, host: p.At, kind: allocated, node: p.Node, placed: true, inFile: p.File >= 0, gone: p.Gone}}
	if p.ReadOnly {
		b.flags |= readOnly
	}
	if p.Shared {
		b.kind = shared
	}
	if !b.inFile {
		b.host = p.Host
		if b.aliased() {
			b.kind, b.start, b.length = registered, p.Host, p.Size
		}
	}
	s := &t.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.supersede(b.lo, b.hi)
	if b.inFile {
		if _, err := mmapFile(p.File, b.lo, p.Size, p.Offset); err != nil {
			return nil, err
		}
	}
	if !b.aliased() && !p.Shared {
		b.guard = s.reserve(b.hi, t.check.guard(p.Size, 0))
	}
	s.allocations++
	b.serial = s.allocations
	s.add(&b.block)
	t.claim(b.lo, b.hi+b.guard)
	if b.aliased() {
		t.claim(b.host, b.host+p.Size)
	}
	return b, nil
}

// claim has the host's unmapping of a range come to HostUnmap.
func (t *Thunk) claim(lo, hi uint64) {
	if t.claimed != nil {
		t.claimed(lo, hi)
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

// Show makes a block visible to nodes; Hide takes that back.
func (t *Thunk) Show(b *Block, nodes uint64) {
	t.space.mu.Lock()
	defer t.space.mu.Unlock()
	b.mapped |= nodeSet(nodes)
}

// Hide makes a block invisible to nodes.
func (t *Thunk) Hide(b *Block, nodes uint64) {
	t.space.mu.Lock()
	defer t.space.mu.Unlock()
	b.mapped &^= nodeSet(nodes)
}

// Withdraw ends a block. Its addresses are the host's again once no kernel can touch them.
func (t *Thunk) Withdraw(b *Block) {
	s := &t.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(&b.block)
	s.leaving = append(s.leaving, &b.block)
	if s.guards && b.inFile && len(s.unmaps.running) == 0 {
		s.quarantine(&b.block)
		if b.gone != nil {
			b.gone()
			b.gone = nil
		}
		return
	}
	s.vacateLater(&b.block)
}

// vacateLater vacates a block, now or when the running kernels are over. mu is held.
func (s *space) vacateLater(b *block) {
	s.unmaps.clock++
	s.unmaps.pages = append(s.unmaps.pages, delayedUnmap{freed: s.unmaps.clock, vacate: func() { s.vacate(b) }})
	s.unmaps.unmap()
}

// vacate gives the host what it has unmapped meanwhile, and leaves the rest reserved. mu is held.
func (s *space) vacate(b *block) {
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
			if b.hi > hi { // what lies behind is still to be left
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
func (t *Thunk) HostUnmap(lo, hi uint64, reserve bool) error {
	s := &t.space
	s.mu.Lock()
	defer s.mu.Unlock()
	t.forgetSVM(lo, hi)
	var stay []*block
	for _, b := range s.blocks {
		if b.placed && b.inFile && b.lo < hi && lo < b.hi {
			stay = append(stay, b)
		}
		if b.placed && !b.inFile && b.host < hi && lo < b.host+b.size() {
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
		var next *block // that stays, the lowest from at on
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
		b := &block{lo: lo, hi: hi, host: lo, placed: true, hostGone: true}
		s.leaving = append(s.leaving, b)
		s.vacateLater(b)
		return nil
	}
	if _, _, errno := syscall.Syscall(syscall.SYS_MUNMAP, uintptr(lo), uintptr(hi-lo), 0); errno != 0 {
		return errno
	}
	return nil
}

// Keeps tells whether GPUs have memory in all of a range, which the host may use as it is.
func (t *Thunk) Keeps(lo, hi uint64) bool {
	t.space.mu.RLock()
	defer t.space.mu.RUnlock()
	b := t.space.at(lo)
	return b != nil && b.placed && b.inFile && hi <= b.hi
}
