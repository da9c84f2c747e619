package hsakmt

import "syscall"

// RegisterMemory lets GPUs use a range of the host's memory.
func (t *Thunk) RegisterMemory(address, size uint64) Status { return t.register(address, size, 0, 0) }

// RegisterMemoryWithFlags is RegisterMemory with attributes.
func (t *Thunk) RegisterMemoryWithFlags(address, size uint64, f uint32) Status {
	return t.register(address, size, flags(f), 0)
}

// RegisterMemoryToNodes is RegisterMemory for the listed GPUs.
func (t *Thunk) RegisterMemoryToNodes(address, size, count, nodes uint64) Status {
	set, status := t.nodeSet(count, nodes)
	if status != Success {
		return status
	}
	return t.register(address, size, 0, set)
}

// register counts a range that was registered before; another gets addresses of its
// own for GPUs, at which the host has nothing.
func (t *Thunk) register(address, size uint64, f flags, nodes nodeSet) Status {
	if address == 0 || size == 0 || size > largest || address+size > 1<<47 {
		return InvalidParameter
	}
	s := &t.space
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.at(address); b != nil {
		return InvalidHandle // an allocation, which needs no registration
	}
	if b := s.registration(address, size); b != nil {
		b.registrations++
		return Success
	}
	host := address &^ (page - 1)
	length := (address+size+page-1)&^(page-1) - host
	lo, err := mapPages(length, page, 0, syscall.PROT_NONE)
	if err != nil {
		return NoMemory
	}
	s.add(&block{
		lo: lo, hi: lo + length, host: host, kind: registered, node: firstGPU, flags: f,
		registrations: 1, toNodes: nodes, start: address, length: size,
	})
	return Success
}

// DeregisterMemory takes back one registration, or another process's memory.
func (t *Thunk) DeregisterMemory(address uint64) Status {
	s := &t.space
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.find(address)
	switch {
	case b == nil && t.pageTables:
		return Success
	case b == nil || b.kind != registered && b.kind != shared:
		return MemoryNotRegistered
	}
	if b.registrations--; b.registrations <= 0 {
		s.remove(b)
		s.unmapLater(b.lo, b.hi, nil)
	}
	return Success
}
