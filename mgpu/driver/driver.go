package driver

// Handles. Zero is invalid, except for Stream: the null stream of the current device.
type (
	Stream   uintptr
	Event    uintptr
	Module   uintptr
	Function uintptr
	Ptr      uintptr // address that is valid on the device, and not always on the host
)

// Driver drives the devices of one vendor. Methods without a device argument work on the calling thread's current
// device. Work on a stream is asynchronous. An error of such work is returned once, by a later synchronize, query or
// destroy of the work's stream or event.
type Driver interface {
	Name() string // "hip", "cuda", "soft"

	DeviceCount() int // at least 1: a driver without devices can't be opened
	DeviceName(device int) string
	SetDevice(device int) error // for the calling thread
	Device() (int, error)       // of the calling thread

	// ModuleLoad loads a code object. image must stay unchanged and in place until the module is unloaded, since HIP
	// keeps the pointer.
	ModuleLoad(image []byte) (Module, error)
	ModuleUnload(Module) error                                 // running kernels finish; may wait for the device
	ModuleGetFunction(m Module, name string) (Function, error) // valid as long as the module is loaded

	LaunchKernel(f Function, l Launch) error // reads the parameters before it returns

	StreamCreate() (Stream, error)
	StreamDestroy(Stream) error      // submitted work still finishes; HIP waits for it
	StreamSynchronize(Stream) error  // waits for all work submitted so far
	StreamIdle(Stream) (bool, error) // whether all its work is done; never blocks
	// StreamWaitEvent makes work that is submitted to the stream from now on wait for the event's latest record, which
	// may be on another device. If the event was never recorded, the work does not wait.
	StreamWaitEvent(Stream, Event) error

	EventCreate() (Event, error) // timing disabled
	EventDestroy(Event) error    // submitted waits for the event stay valid
	EventRecord(Event, Stream) error
	EventSynchronize(Event) error  // waits for the latest record, if there is one
	EventDone(Event) (bool, error) // whether the latest record is reached, true if there is none; never blocks

	MemAlloc(bytes uint64) (Ptr, error)        // device memory; bytes is not 0, here and below
	MemAllocManaged(bytes uint64) (Ptr, error) // device and host may both access it
	MemFree(Ptr) error                         // waits for all work submitted to the device before
	// Memcpy copies between memory of the host and of devices, in any direction. If the host memory is pageable, the
	// call may wait for the copy; a copy to pageable memory always does.
	Memcpy(dst, src Ptr, bytes uint64, s Stream) error
	Memset32(dst Ptr, value uint32, count uint64, s Stream) error // count of elements
	Memset16(dst Ptr, value uint16, count uint64, s Stream) error
	HostRegister(p Ptr, bytes uint64) error // page-locks host memory and maps it for the device
	HostUnregister(Ptr) error               // undoes HostRegister of the same address
	HostDevicePointer(p Ptr) (Ptr, error)   // the device's address of registered host memory
}

// CallCounter is a driver whose messages name the program's call by its number. number returns how many mgpu calls the
// program has made, including the current one.
type CallCounter interface {
	CountCalls(number func() uint64)
}

// SiteTeller is a driver whose messages say where the program allocated memory.
type SiteTeller interface {
	// NameSites sets the function that names an instruction of the program; "" if unknown.
	NameSites(name func(site uintptr) string)
	// AllocatedAt notes the instruction to which p's allocation returns.
	AllocatedAt(p Ptr, site uintptr)
}

// TensorMap describes a tiled tensor in device memory, with the parameters of cuTensorMapEncodeTiled. Enumerations have
// CUDA's numbers. Host memory must stay in place during the call.
type TensorMap struct {
	Map             uintptr // destination: 128 bytes, aligned to 64
	DataType        uint32
	Rank            uint32  // 1 to 5, the length of the lists below
	Address         Ptr     // address of the tensor in device memory
	Dims            uintptr // const uint64_t *: elements along each dimension
	Strides         uintptr // const uint64_t *: bytes; Rank-1 of them, from the second dimension on
	Box             uintptr // const uint32_t *: elements of a tile along each dimension
	ElementStrides  uintptr // const uint32_t *: elements
	Interleave      uint32
	Swizzle         uint32
	L2Promotion     uint32
	OutOfBoundsFill uint32
}

// TensorMapper is a driver that encodes tensor maps, for devices that copy tiles.
type TensorMapper interface {
	EncodeTiled(t TensorMap) error
}
