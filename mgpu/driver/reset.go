package driver

// Resetter is a driver whose programs can reset a device without the library. A reset destroys all streams, events and
// memory of the process on the device.
type Resetter interface {
	Resets() bool // false: the driver lacks the functions below
	// CanaryAlloc allocates device memory by which the library detects a reset.
	CanaryAlloc(bytes uint64) (Ptr, error)
	// SlowReset reports whether a reset takes at least 50 ms. Other resets take a microsecond.
	SlowReset() bool
	// MemoryNumber returns the number of the allocation at an address. No other allocation of the process gets the same
	// number. It returns an error if there is no allocation. It does not change the program's last error.
	MemoryNumber(Ptr) (uint64, error)
}
