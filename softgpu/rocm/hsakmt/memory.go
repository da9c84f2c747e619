package hsakmt

const (
	page     = 4096
	hugePage = 2 << 20
)

// largest is more than any allocation can be.
const largest = 1 << 46

// AllocMemory allocates memory of a node, zeroed, at an address that host and GPUs
// share. With fixedAddress, address holds the one that is wanted.
func (t *Thunk) AllocMemory(node uint32, size uint64, f uint32, address uint64) Status {
	return t.allocate(node, size, page, flags(f), address)
}

// AllocMemoryAlign is AllocMemory at a multiple of align, a power of two.
func (t *Thunk) AllocMemoryAlign(node uint32, size, align uint64, f uint32, address uint64) Status {
	if align&(align-1) != 0 {
		return InvalidParameter
	}
	return t.allocate(node, size, max(align, page), flags(f), address)
}

func (t *Thunk) allocate(node uint32, size, align uint64, f flags, address uint64) Status {
	switch {
	case int(node) >= t.nodes():
		return InvalidNode
	case address == 0 || size == 0 || size%page != 0 || size > largest || align > largest:
		return InvalidParameter
	case f&(gdsMemory|noAddress|onlyAddress) != 0:
		return NotSupported
	}
	var fixed uint64
	if f&fixedAddress != 0 {
		if fixed = load64(address); fixed == 0 || fixed%page != 0 {
			return InvalidParameter
		}
	}
	if size >= hugePage {
		align = max(align, hugePage)
	}
	if !t.charge(node, size, f) {
		return NoMemory
	}
	guard := t.check.guard(size, fixed)
	at, err := mapPages(size+guard, align, fixed, readWrite)
	if err != nil {
		t.discharge(node, size, f)
		return NoMemory
	}
	protect(at+size, guard)
	b := &block{lo: at, hi: at + size, host: at, kind: allocated, node: node, flags: f, guard: guard}
	if f&scratch == 0 && (node != hostNode || f&nonPaged != 0) {
		b.offset, b.inFile = t.memory.pages(at, size)
	}
	t.space.mu.Lock()
	t.space.allocations++
	b.serial = t.space.allocations
	t.space.add(b)
	t.space.mu.Unlock()
	store64(address, at)
	return Success
}

// FreeMemory frees an allocation, all of it.
func (t *Thunk) FreeMemory(address, _ uint64) Status {
	s := &t.space
	s.mu.Lock()
	b := s.at(address)
	if b == nil || b.lo != address || b.kind != allocated {
		s.mu.Unlock()
		return Failure
	}
	s.remove(b)
	if s.guards && len(s.unmaps.running) == 0 {
		s.quarantine(b)
		if then := t.leaves(b); then != nil {
			then()
		}
	} else {
		s.unmapLater(b.lo, b.hi+b.guard, t.leaves(b))
	}
	s.mu.Unlock()
	t.discharge(b.node, b.size(), b.flags)
	return Success
}

// leaves is what remains to be done when nothing maps the block's pages any more.
func (t *Thunk) leaves(b *block) func() {
	if !b.inFile || b.exported {
		return nil
	}
	return func() { t.memory.drop(b.offset, b.size()) }
}

// limit is how much may be allocated of a node's memory.
func (t *Thunk) limit(node uint32) uint64 {
	if node == hostNode {
		return systemMemory()
	}
	return t.vram
}

// charge takes size bytes off a node's memory. Scratch is only addresses until it is
// used, and the emulator has its own.
func (t *Thunk) charge(node uint32, size uint64, f flags) bool {
	if f&scratch != 0 {
		return true
	}
	for limit := t.limit(node); ; {
		n := t.used[node].Load()
		if n+size > limit {
			return false
		}
		if t.used[node].CompareAndSwap(n, n+size) {
			return true
		}
	}
}

func (t *Thunk) discharge(node uint32, size uint64, f flags) {
	if f&scratch == 0 {
		t.used[node].Add(-size)
	}
}

// AvailableMemory stores how much a GPU has left.
func (t *Thunk) AvailableMemory(node uint32, bytes uint64) Status {
	if node == hostNode || int(node) >= t.nodes() {
		return InvalidNode
	}
	store64(bytes, t.vram-t.used[node].Load())
	return Success
}

// SetMemoryPolicy chooses how ranges are cached. The emulator has no caches.
func (t *Thunk) SetMemoryPolicy(node, _, _ uint32, _, _ uint64) Status {
	if int(node) >= t.nodes() {
		return InvalidNode
	}
	return Success
}
