package hsakmt

import "encoding/binary"

// QueryPointerInfo describes the block that an address of the host or of a GPU is in.
func (t *Thunk) QueryPointerInfo(address, info uint64) Status {
	if info == 0 {
		return InvalidParameter
	}
	r := newRecord(info, 0, pointerInfo, t.release())
	s := &t.space
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.find(address)
	if b == nil || b.kind == internal {
		return Failure
	}
	mapped, toNodes := b.mapped.members(), b.toNodes.members()
	r.setAll(values{
		"Type":             uint64(b.kind),
		"Node":             uint64(b.node),
		"MemFlags":         uint64(b.flags),
		"CPUAddress":       b.host,
		"GPUAddress":       b.lo,
		"SizeInBytes":      b.size(),
		"NRegisteredNodes": uint64(len(toNodes)),
		"RegisteredNodes":  t.interned(b.toNodes, toNodes),
		"NMappedNodes":     uint64(len(mapped)),
		"MappedNodes":      t.interned(b.mapped, mapped),
		"UserData":         b.user,
	})
	if b.kind == registered {
		r.setAll(values{"CPUAddress": b.start, "GPUAddress": b.gpuAddress(b.start), "SizeInBytes": b.length})
	}
	return Success
}

// interned returns an array of a set's nodes, which stays valid. space.mu is held.
func (t *Thunk) interned(set nodeSet, nodes []uint32) uint64 {
	if set == 0 {
		return 0
	}
	if addr, ok := t.space.sets[set]; ok {
		return addr
	}
	addr := t.arena.alloc(uint64(4 * len(nodes)))
	if addr == 0 {
		return 0
	}
	for i, n := range nodes {
		binary.LittleEndian.PutUint32(bytesAt(addr+uint64(4*i), 4), n)
	}
	t.space.sets[set] = addr
	return addr
}

// SetMemoryUserData keeps a word of the runtime with a block.
func (t *Thunk) SetMemoryUserData(address, user uint64) Status {
	t.space.mu.Lock()
	defer t.space.mu.Unlock()
	b := t.space.find(address)
	if b == nil || b.kind == internal {
		return Failure
	}
	b.user = user
	return Success
}
