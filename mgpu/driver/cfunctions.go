package driver

// CCaller is a driver whose calls C can make without entering Go. C passes a result other than 0 to Status.
type CCaller interface {
	Waiter
	CFunctions() CFunctions
}

// CFunctions are the addresses of C functions that do what the methods of the same names do, for arguments that need no
// preparation: launches have no dynamic workgroup memory. The first argument of each is Driver.
//
//	LaunchKernel       int32_t (*)(uintptr_t driver, uintptr_t function, uint32_t gridX, uint32_t gridY,
//	                   uint32_t gridZ, uint32_t blockX, uint32_t blockY, uint32_t blockZ, uint32_t shared,
//	                   uintptr_t stream, uintptr_t params, uintptr_t extra)
//
// The other functions have parameters of type uintptr_t. They may be called with more arguments than they have
// parameters. The last eight serve a runtime that caches nothing; all of them are set, or none is. Those of the eight
// that return a handle or an address return it with the status: struct { uintptr_t value; int32_t status; }.
//
// StreamIdle returns 0 if the stream's work is done. It returns another value if the work is not done, if the driver
// fails, or if the program captures the stream. It ends no capture.
//
// HostSees returns 0 if the address is in pageable memory, or in device memory that the host can't access. It returns
// another value if PlaceOf returns Shared or fails.
//
// StreamUsable returns 0 if the stream exists and the program does not capture it.
//
// EventRecord returns a value other than 0 if the program captures the stream. It records nothing then.
//
// MemoryNumber is that of Resetter: struct { uintptr_t value; int32_t status; }.
//
// GraphLaunch updates the only node of an exec, unless set is false, and launches the exec. If the program captures the
// stream, it does nothing and returns GraphRefused.
//
//	GraphLaunch        int32_t (*)(uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function, uint32_t gridX,
//	                   uint32_t gridY, uint32_t gridZ, uint32_t blockX, uint32_t blockY, uint32_t blockZ,
//	                   uintptr_t stream, uintptr_t params, bool set)
//
//mgpu:struct driver_functions
type CFunctions struct {
	Driver            uintptr
	LaunchKernel      uintptr // zero: none of the functions exist
	StreamSynchronize uintptr
	StreamIdle        uintptr // zero: the function does not exist
	HostSees          uintptr // zero: the function does not exist
	StreamUsable      uintptr // zero: programs can't capture streams
	EventRecord       uintptr // zero: the function does not exist
	MemoryNumber      uintptr // zero: programs can't reset devices
	GraphLaunch       uintptr // zero: the function does not exist
	Memcpy            uintptr // zero: the function does not exist
	Memset32          uintptr // zero: the function does not exist
	Memset16          uintptr // zero: the function does not exist

	ModuleLoad        uintptr
	ModuleCompile     uintptr // JIT.ModuleLoadJIT: source, opt
	ModuleUnload      uintptr
	ModuleGetFunction uintptr
	StreamCreate      uintptr
	StreamDestroy     uintptr
	MemAlloc          uintptr
	MemFree           uintptr

	GraphsPinned bool // see GraphTraits.Pinned
}

// GraphRefused is CFunctions.GraphLaunch's result if the caller has to make a plain launch.
const GraphRefused = -1
