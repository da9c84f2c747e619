package driver

// MemInformer is a driver that knows how much memory the current device has.
type MemInformer interface {
	MemInfo() (free, total uint64, err error) // bytes
}

// Pinner is a driver that allocates page-locked host memory, which every device
// reaches: copies from and to it wait for nobody.
type Pinner interface {
	HostAlloc(bytes uint64) (Ptr, error)
	HostFree(Ptr) error // no work that uses it may be pending
}

// DeviceWaiter is a driver that waits for all that was submitted to the current
// device, by whomever and on whatever stream.
type DeviceWaiter interface {
	DeviceSynchronize() error
	WaitDevice() Blocking // DeviceSynchronize, left to C as Waiter's calls are
}
