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

// KernelCopier is a driver that can have a kernel make a copy, where the engine that
// copies would be handed over to and back from: between memory of the current device and
// page-locked memory of a [Pinner]'s, either way. dst and src are aligned to 16 bytes.
// A kernel gets no error for memory that is not there: its device's work ends.
type KernelCopier interface {
	// PrepareKernelCopy makes the current device ready for the others, which may take as
	// long as compiling; where it fails they must not be called.
	PrepareKernelCopy() error
	// KernelCopy is a Memcpy that waits for nobody. Where it fails nothing is copied.
	KernelCopy(dst, src Ptr, bytes uint64, s Stream) error
}
