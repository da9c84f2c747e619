package driver

// CCaller is a driver whose calls C can make without entering Go. A result other than 0
// goes through Status.
type CCaller interface {
	Waiter
	CFunctions() CFunctions
}

// CFunctions are addresses of C functions that do the same as the methods of those
// names, for arguments that need no preparation: launches have no dynamic workgroup
// memory. The first argument of each is Driver.
//
//	LaunchKernel       int32_t (*)(uintptr_t driver, uintptr_t function, uint32_t gridX, uint32_t gridY,
//	                   uint32_t gridZ, uint32_t blockX, uint32_t blockY, uint32_t blockZ, uint32_t shared,
//	                   uintptr_t stream, uintptr_t params, uintptr_t extra)
//
// The others take uintptr_t, and as many as they like more than they have parameters. The
// last eight, which serve a runtime that caches nothing, are all there or all zero. Of
// these, the functions that give a handle or an address return it with the status:
// struct { uintptr_t value; int32_t status; }.
//
// StreamIdle returns 0 if the stream's work is done, and something else if it is not, if the
// driver fails, or if the program captures the stream. It ends no capture.
//
// HostSees returns 0 if an address is of pageable memory, or of device memory that the host
// can't access, and something else if PlaceOf gives Shared or fails.
//
// StreamUsable returns 0 if the stream exists and the program does not capture it.
//
// MemoryNumber is Resetter's: struct { uintptr_t value; int32_t status; }.
//
// GraphLaunch updates the only node of an exec, unless set is false, and launches the
// exec. It does nothing and returns GraphRefused if the program captures the stream.
//
//	GraphLaunch        int32_t (*)(uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function, uint32_t gridX,
//	                   uint32_t gridY, uint32_t gridZ, uint32_t blockX, uint32_t blockY, uint32_t blockZ,
//	                   uintptr_t stream, uintptr_t params, bool set)
//
//mgpu:struct driver_functions
type CFunctions struct {
	Driver            uintptr
	LaunchKernel      uintptr // zero: none of the calls exist
	StreamSynchronize uintptr
	StreamIdle        uintptr // zero: none
	HostSees          uintptr // zero: none
	StreamUsable      uintptr // zero: none; programs can't capture
	MemoryNumber      uintptr // zero: none; programs can't reset devices
	GraphLaunch       uintptr // zero: none
	Memcpy            uintptr // zero: none
	Memset32          uintptr // zero: none
	Memset16          uintptr // zero: none

	ModuleLoad        uintptr
	ModuleCompile     uintptr // JIT.ModuleLoadJIT: source, opt
	ModuleUnload      uintptr
	ModuleGetFunction uintptr
	StreamCreate      uintptr
	StreamDestroy     uintptr
	MemAlloc          uintptr
	MemFree           uintptr

	GraphsPinned bool // GraphTraits.Pinned
}

// GraphRefused is CFunctions.GraphLaunch's result if the caller is to launch plainly.
const GraphRefused = -1
