package mgpu

import "unsafe"

// offer returns what C needs to cache blocks.
func (m *memory) offer() MemoryOffer {
	return MemoryOffer{uintptr(unsafe.Pointer(&m.sharedWithHost)), uintptr(unsafe.Pointer(&m.listLimit)), now(), memAlloc}
}
