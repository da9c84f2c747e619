package driver

// Blocking is a driver call that may block. C makes the call outside Go, since Go's scheduler would notice the return
// late. Fn is the address of an int32_t (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t); zero means that
// nothing is left to do.
//
//mgpu:struct blocking
type Blocking struct {
	Fn  uintptr
	Arg [5]uintptr
}

// Waiter is a driver whose blocking calls are C functions. C makes the returned call and passes its result to Status.
type Waiter interface {
	WaitStream(Stream) Blocking                             // StreamSynchronize
	WaitEvent(Event) Blocking                               // EventSynchronize
	WaitCopy(dst, src Ptr, bytes uint64, s Stream) Blocking // Memcpy
	WaitFree(Ptr) Blocking                                  // MemFree
	Status(call string, status int32) error                 // nil for success; call: the driver's function
}

// EventTimer is a driver whose events can time work.
type EventTimer interface {
	// TimedEventCreate makes an event of the current device for EventElapsed. It is recorded, queried and destroyed
	// like other events.
	TimedEventCreate() (Event, error)
	// EventElapsed returns the nanoseconds between two such events of the current device, both of which are done. It is
	// negative if to was recorded first.
	EventElapsed(from, to Event) (int64, error)
}

// UncheckedStreams marks a driver that reads the memory of a stream without finding out whether the stream exists. A call
// with a stream that the program has destroyed by the driver's own library may end the process.
type UncheckedStreams interface {
	UncheckedStreams()
}

// DefaultStreamOrderer is a driver whose streams are ordered with the default stream of their device: work of either
// waits for all earlier work of the other.
type DefaultStreamOrderer interface {
	OrdersDefaultStream() bool
}

// DeviceSynchronizer is a driver that waits for all work of the current device, on any stream and of any library.
type DeviceSynchronizer interface {
	DeviceSynchronize() error
}

// DeviceWaiter is a driver whose wait for a device is a C function.
type DeviceWaiter interface {
	DeviceSynchronizer
	WaitDevice() Blocking
}
