package driver

// Handles. Zero is invalid, except for Stream: the null stream of the current device.
type (
	Stream   uintptr
	Event    uintptr
	Module   uintptr
	Function uintptr
	Ptr      uintptr // address valid on the device, not always on the host
)

// Driver drives the devices of one vendor. Methods without a device argument
// work on the calling thread's current device. Work on a stream is
// asynchronous; an error of such work is returned once, by a later synchronize,
// query or destroy of the work's stream or event.
type Driver interface {
	Name() string // "hip", "cuda", "soft"

	DeviceCount() int // at least 1: a driver without a device does not open
	DeviceName(device int) string
	SetDevice(device int) error // for the calling thread
	Device() (int, error)       // of the calling thread

	// ModuleLoad loads a code object. image stays unchanged and in place until
	// the module is unloaded: HIP keeps the pointer.
	ModuleLoad(image []byte) (Module, error)
	ModuleUnload(Module) error                                 // running kernels finish; may wait for the device
	ModuleGetFunction(m Module, name string) (Function, error) // valid as long as the module

	LaunchKernel(f Function, l Launch) error // reads the parameters before it returns

	StreamCreate() (Stream, error)
	StreamDestroy(Stream) error      // submitted work still finishes; HIP waits for it
	StreamSynchronize(Stream) error  // waits for all work submitted so far
	StreamIdle(Stream) (bool, error) // whether all its work is done; never blocks
	// StreamWaitEvent lets work submitted to the stream from now on wait for the
	// event's last record, which may be on another device. No record: no wait.
	StreamWaitEvent(Stream, Event) error

	EventCreate() (Event, error) // timing disabled
	EventDestroy(Event) error    // submitted waits for the event stay valid
	EventRecord(Event, Stream) error
	EventSynchronize(Event) error  // waits for the last record, if there is one
	EventDone(Event) (bool, error) // whether the last record has been reached, true if there is none; never blocks

	MemAlloc(bytes uint64) (Ptr, error)        // device memory; bytes is not 0, here and below
	MemAllocManaged(bytes uint64) (Ptr, error) // device and host may both touch it
	MemFree(Ptr) error                         // waits for everything submitted to the device before
	// Memcpy copies between memory of the host and of devices, in any direction. With
	// pageable host memory the call may wait for the copy, and does for a download.
	Memcpy(dst, src Ptr, bytes uint64, s Stream) error
	Memset32(dst Ptr, value uint32, count uint64, s Stream) error // count of elements
	Memset16(dst Ptr, value uint16, count uint64, s Stream) error
	HostRegister(p Ptr, bytes uint64) error // page-locks host memory and maps it for the device
	HostUnregister(Ptr) error               // undoes HostRegister of the same address
	HostDevicePointer(p Ptr) (Ptr, error)   // the device's address of registered host memory
}

// CallCounter is a driver whose messages name the program's call by its number.
// number returns how many mgpu calls the program has made, the current one included.
type CallCounter interface {
	CountCalls(number func() uint64)
}

// SiteTeller is a driver whose messages say where the program allocated memory.
type SiteTeller interface {
	// NameSites sets what names an instruction of the program; it returns "" for an unknown one.
	NameSites(name func(site uintptr) string)
	// AllocatedAt notes the instruction that p's allocation returns to.
	AllocatedAt(p Ptr, site uintptr)
}

// TensorMap describes a tiled tensor in device memory, as cuTensorMapEncodeTiled
// takes it. Enumerations are CUDA's numbers; host memory stays in place during the
// call.
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

// TensorMapper is a driver that encodes tensor maps, for hardware that copies tiles.
type TensorMapper interface {
	EncodeTiled(t TensorMap) error
}
