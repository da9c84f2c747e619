package driver

// Resetter is a driver whose programs can reset a device without the library: that destroys
// the streams, events and memory of everybody in the process.
type Resetter interface {
	Resets() bool // false: the driver lacks the functions below
	// CanaryAlloc allocates device memory, by which the library notices a reset.
	CanaryAlloc(bytes uint64) (Ptr, error)
	// SlowReset reports whether a reset takes 50 ms at least. The others take a microsecond.
	SlowReset() bool
	// MemoryNumber returns the number of the allocation at an address, which no other allocation of
	// the process gets; an error if there is no allocation. The program's last error stays.
	MemoryNumber(Ptr) (uint64, error)
}
