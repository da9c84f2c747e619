package driver

// Blocking is a driver call that may block and that C code makes by itself, not
// nested inside a call into Go: Go's scheduler would notice its return late.
// Fn is the address of an int32_t (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t,
// uintptr_t); zero means that there is nothing left to do.
//
//mgpu:struct blocking
type Blocking struct {
	Fn  uintptr
	Arg [5]uintptr
}

// Waiter is a driver whose blocking calls are C functions. What it returns is
// called by C; the status that comes back goes through Status.
type Waiter interface {
	WaitStream(Stream) Blocking                             // StreamSynchronize
	WaitEvent(Event) Blocking                               // EventSynchronize
	WaitCopy(dst, src Ptr, bytes uint64, s Stream) Blocking // Memcpy
	WaitCopied(Stream) Blocking                             // StreamSynchronize for a copy, which fails as a Memcpy
	WaitFree(Ptr) Blocking                                  // MemFree
	Status(call string, status int32) error                 // nil for success; call is the vendor's function
}

// DeviceSynchronizer is a driver that waits for all that was submitted to the
// current device, by whomever and on whatever stream.
type DeviceSynchronizer interface {
	DeviceSynchronize() error
}

// DeviceWaiter is one whose wait is a C function, as Waiter's are.
type DeviceWaiter interface {
	DeviceSynchronizer
	WaitDevice() Blocking
}
