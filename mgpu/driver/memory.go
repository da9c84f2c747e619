package driver

// MemInformer is a driver that knows how much memory the current device has.
type MemInformer interface {
	MemInfo() (free, total uint64, err error) // bytes
}

// Extenter is a driver that knows to which allocation an address belongs.
type Extenter interface {
	// ExtentOf returns the address and size of the allocation; InvalidValue or NotFound if there is none.
	ExtentOf(Ptr) (base Ptr, bytes uint64, err error)
}

// MemoryChecker is a driver that detects misuse of memory. ends: it detects accesses beyond a block's end, so blocks
// must have exactly the requested sizes. lives: it follows blocks from allocation to free, so each block must be an
// allocation of the driver.
type MemoryChecker interface {
	ChecksMemory() (ends, lives bool)
}
