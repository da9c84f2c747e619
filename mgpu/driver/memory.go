package driver

// MemInformer is a driver that knows how much memory the current device has.
type MemInformer interface {
	MemInfo() (free, total uint64, err error) // bytes
}

// Extenter is a driver that knows which allocation an address belongs to.
type Extenter interface {
	// ExtentOf returns the allocation's address and size; InvalidValue or NotFound if there is
	// none.
	ExtentOf(Ptr) (base Ptr, bytes uint64, err error)
}

// MemoryChecker is a driver that detects misuse of memory. ends: it detects accesses
// beyond a block's end, so blocks must have exactly the sizes asked for. lives: it
// follows blocks from allocation to free, so each must be the driver's own.
type MemoryChecker interface {
	ChecksMemory() (ends, lives bool)
}
