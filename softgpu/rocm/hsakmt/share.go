package hsakmt

import (
	"os"
	"syscall"
)

// The words of HsaSharedMemoryHandle. ROCr keeps bits of its own in the seventh, whose
// highest bit and, for blocks of 2 MiB, lowest nine are free therefore.
const (
	sharedMagic = iota
	sharedProcess
	sharedFile
	sharedNode
	sharedPage // of the file, low half
	sharedPageHigh
	sharedPages
)

const shareMark = 0x6d677075

// ShareMemory stores a handle by which other processes map an allocation.
func (t *Thunk) ShareMemory(address, size, handle uint64) Status {
	t.space.mu.Lock()
	defer t.space.mu.Unlock()
	b := t.space.at(address)
	switch {
	case b == nil || b.lo != address || b.size() != size || b.kind != allocated || size>>12 > 1<<31-1:
		return InvalidParameter
	case !b.inFile:
		return NotSupported
	}
	b.exported = true
	for i, v := range map[uint64]uint32{
		sharedMagic: shareMark, sharedProcess: uint32(os.Getpid()), sharedFile: uint32(t.memory.fd), sharedNode: b.node,
		sharedPage: uint32(b.offset / page), sharedPageHigh: uint32(b.offset / page >> 32), sharedPages: uint32(size / page),
	} {
		store32(handle+4*i, v)
	}
	return Success
}

// RegisterSharedHandle maps what another process has shared, or this one.
func (t *Thunk) RegisterSharedHandle(handle, address, size uint64) Status {
	return t.RegisterSharedHandleToNodes(handle, address, size, 0, 0)
}

// RegisterSharedHandleToNodes is RegisterSharedHandle for the listed GPUs.
func (t *Thunk) RegisterSharedHandleToNodes(handle, address, size, count, nodes uint64) Status {
	set, status := t.nodeSet(count, nodes)
	if status != Success {
		return status
	}
	word := func(i uint64) uint32 { return load32(handle + 4*i) }
	length := uint64(word(sharedPages)) * page
	if word(sharedMagic) != shareMark || length == 0 {
		return InvalidParameter
	}
	fd, err := openVRAM(word(sharedProcess), word(sharedFile))
	if err != nil {
		return Failure
	}
	defer syscall.Close(fd)
	align := uint64(page)
	if length >= hugePage {
		align = hugePage
	}
	at, err := mapPages(length, align, 0, syscall.PROT_NONE)
	if err != nil {
		return NoMemory
	}
	offset := (uint64(word(sharedPage)) | uint64(word(sharedPageHigh))<<32) * page
	if _, err := mmapFile(fd, at, length, offset); err != nil {
		unmapPages(at, length)
		return Failure
	}
	node := word(sharedNode)
	if int(node) >= t.nodes() {
		node = firstGPU
	}
	t.space.mu.Lock()
	t.space.add(&block{lo: at, hi: at + length, host: at, kind: shared, node: node, toNodes: set, registrations: 1})
	t.space.mu.Unlock()
	store64(address, at)
	store64(size, length)
	return Success
}
