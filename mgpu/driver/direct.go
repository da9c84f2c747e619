package driver

// Direct is a driver whose launches and waits for streams C code can make without
// asking Go first. What they return, if it is not 0, goes through Status.
type Direct interface {
	Waiter
	Direct() DirectCalls
}

// DirectCalls are addresses of C functions that do what the method of the same name
// does, for arguments that need no preparation: of launches, those without dynamic
// workgroup memory.
//
//	LaunchKernel       int32_t (*)(uintptr_t driver, uintptr_t function, uint32_t gridX, uint32_t gridY,
//	                   uint32_t gridZ, uint32_t blockX, uint32_t blockY, uint32_t blockZ, uint32_t shared,
//	                   uintptr_t stream, uintptr_t params, uintptr_t extra)
//	StreamSynchronize  int32_t (*)(uintptr_t driver, uintptr_t stream, uintptr_t, uintptr_t, uintptr_t)
//
// GraphLaunch sets what the only node of an exec does, unless set is false, and
// launches the exec. It gives GraphRefused, having done nothing, where the program
// captures the stream.
//
//	GraphLaunch        int32_t (*)(uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function, uint32_t gridX,
//	                   uint32_t gridY, uint32_t gridZ, uint32_t blockX, uint32_t blockY, uint32_t blockZ,
//	                   uintptr_t stream, uintptr_t params, bool set)
type DirectCalls struct {
	Driver            uintptr // what each takes first
	LaunchKernel      uintptr // zero, and the others too: none
	StreamSynchronize uintptr
	GraphLaunch       uintptr // zero: none
	GraphsPinned      bool    // GraphTraits.Pinned
}

// GraphRefused is what DirectCalls.GraphLaunch gives where a plain launch is due.
const GraphRefused = -1
