package driver

// MemInformer is a driver that knows how much memory the current device has.
type MemInformer interface {
	MemInfo() (free, total uint64, err error) // bytes
}

// MemoryChecker is a driver that notices how programs misuse memory. Where it looks
// for uses beyond a block's end, blocks have exactly the sizes that programs ask
// for; where it follows blocks from their allocation to their free, each is the
// driver's own.
type MemoryChecker interface {
	ChecksMemory() (ends, lives bool)
}

// Pinner is a driver that allocates page-locked host memory, which every device
// reaches: copies from and to it wait for nobody.
type Pinner interface {
	HostAlloc(bytes uint64) (Ptr, error) // bytes is not 0
	HostFree(Ptr) error                  // no work that uses it may be pending
}
