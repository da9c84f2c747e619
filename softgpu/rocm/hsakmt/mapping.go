package hsakmt

// MapMemoryToGPU makes memory visible to all GPUs and stores their address of it.
func (t *Thunk) MapMemoryToGPU(address, size, gpuAddress uint64) Status {
	return t.mapTo(address, size, gpuAddress, everyNode, false)
}

// MapMemoryToGPUNodes makes memory visible to the listed nodes and to no others.
func (t *Thunk) MapMemoryToGPUNodes(address, size, gpuAddress uint64, _ uint32, count, nodes uint64) Status {
	set, status := t.nodeSet(count, nodes)
	switch {
	case status != Success:
		return status
	case set == 0 || address == 0:
		return InvalidParameter
	}
	return t.mapTo(address, size, gpuAddress, set, true)
}

func (t *Thunk) mapTo(address, size, gpuAddress uint64, nodes nodeSet, listed bool) Status {
	s := &t.space
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.registration(address, size)
	if b == nil {
		b = s.find(address)
	}
	if b == nil || b.kind == internal {
		if t.pageTables && address != 0 {
			return Success // every GPU sees the host's pages
		}
		if listed {
			return Failure
		}
		return InvalidParameter
	}
	if listed && b.toNodes != 0 && nodes&^b.toNodes != 0 {
		return Failure
	}
	if b.kind == registered || !listed {
		nodes = t.gpuSet()
		if b.toNodes != 0 {
			nodes = b.toNodes
		}
	}
	b.mapped = nodes & t.gpuSet()
	b.mappings++
	switch {
	case gpuAddress == 0:
	case b.aliased() && s.at(address) == nil:
		store64(gpuAddress, b.gpuAddress(address))
	default:
		store64(gpuAddress, address)
	}
	return Success
}

// UnmapMemoryToGPU hides memory from all GPUs. Registered memory stays visible until it was
// unmapped as often as mapped: the runtime may unlock a range after it has locked it again.
func (t *Thunk) UnmapMemoryToGPU(address uint64) Status {
	t.space.mu.Lock()
	defer t.space.mu.Unlock()
	b := t.space.find(address)
	if b == nil || b.kind == internal {
		if t.pageTables {
			return Success
		}
		return InvalidParameter
	}
	if b.mappings--; b.kind != registered || b.mappings <= 0 {
		b.mapped, b.mappings = 0, 0
	}
	return Success
}

// nodeSet reads an array of GPU nodes.
func (t *Thunk) nodeSet(count, nodes uint64) (set nodeSet, s Status) {
	if count > uint64(t.nodes()) || count > 0 && nodes == 0 {
		return 0, InvalidParameter
	}
	for i := range count {
		n := load32(nodes + 4*i)
		if int(n) >= t.nodes() {
			return 0, InvalidNode
		}
		set |= nodeBit(n)
	}
	return set, Success
}
