package driver

// Handles. Zero is never a valid one, but for Stream, where it is the null
// stream of the current device.
type (
	Stream   uintptr
	Event    uintptr
	Module   uintptr
	Function uintptr
	Ptr      uintptr // an address that the device can use; not always one that the host can
)

// Driver drives the devices of one vendor. Methods without a device argument
// work on the calling thread's current device. Work on a stream is
// asynchronous; an error of such work surfaces, once, at a later synchronize,
// or at a query or destroy of what the work was for.
type Driver interface {
	Name() string // "hip", "cuda", "soft"

	DeviceCount() int // at least 1: a driver without a device does not open
	DeviceName(device int) string
	SetDevice(device int) error // for the calling thread
	Device() (int, error)       // of the calling thread

	// ModuleLoad loads a code object. image stays unchanged and in place until
	// the module is unloaded: HIP keeps the pointer that it is given.
	ModuleLoad(image []byte) (Module, error)
	ModuleUnload(Module) error                                 // kernels of it under way finish; may wait for the device
	ModuleGetFunction(m Module, name string) (Function, error) // good as long as the module

	LaunchKernel(f Function, l Launch) error // what it points to is read before it returns

	StreamCreate() (Stream, error)
	StreamDestroy(Stream) error      // its work is finished all the same; HIP waits for it
	StreamSynchronize(Stream) error  // waits for all work submitted so far
	StreamIdle(Stream) (bool, error) // whether all its work is done; never blocks
	// StreamWaitEvent lets work submitted to the stream from now on wait for the
	// event's last record, which may be on another device; without one for nothing.
	StreamWaitEvent(Stream, Event) error

	EventCreate() (Event, error) // timing disabled
	EventDestroy(Event) error    // waits for it that were submitted stay valid
	EventRecord(Event, Stream) error
	EventSynchronize(Event) error  // waits for the last record; without one for nothing
	EventDone(Event) (bool, error) // whether it has been reached, true if never recorded; never blocks

	MemAlloc(bytes uint64) (Ptr, error)        // device memory; bytes is not 0, here and below
	MemAllocManaged(bytes uint64) (Ptr, error) // device and host may both touch it
	MemFree(Ptr) error                         // waits until the device is done with everything submitted before
	// Memcpy copies between memory of the host and of devices, in any direction. With
	// pageable host memory it may wait for the copy, and from the device it does.
	Memcpy(dst, src Ptr, bytes uint64, s Stream) error
	Memset32(dst Ptr, value uint32, count uint64, s Stream) error // count of elements
	Memset16(dst Ptr, value uint16, count uint64, s Stream) error
	HostRegister(p Ptr, bytes uint64) error // page-locks host memory and maps it for the device
	HostUnregister(Ptr) error               // of what was registered at that address
	HostDevicePointer(p Ptr) (Ptr, error)   // the device's address of registered host memory
}

// CallCounter is a driver that tells its user in which call of the program
// something happened. number is how many mgpu calls the program has made, the one
// under way included.
type CallCounter interface {
	CountCalls(number func() uint64)
}

// TensorMap describes a tiled tensor in device memory, as cuTensorMapEncodeTiled
// takes it: enumerations are CUDA's numbers, addresses are of host memory that
// stays in place during the call.
type TensorMap struct {
	Map             uintptr // what is written: 128 bytes, aligned to 64
	DataType        uint32
	Rank            uint32  // 1 to 5, the length of the lists below
	Address         Ptr     // of the tensor, in device memory
	Dims            uintptr // const uint64_t *: elements along each dimension
	Strides         uintptr // const uint64_t *: bytes, from the second dimension on: one fewer
	Box             uintptr // const uint32_t *: elements of a tile along each dimension
	ElementStrides  uintptr // const uint32_t *: elements
	Interleave      uint32
	Swizzle         uint32
	L2Promotion     uint32
	OutOfBoundsFill uint32
}

// TensorMapper is a driver that encodes tensor maps for hardware that copies
// tiles by itself.
type TensorMapper interface {
	EncodeTiled(t TensorMap) error
}
