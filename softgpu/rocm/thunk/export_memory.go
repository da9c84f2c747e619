package main

import "C"

import "github.com/mgpu-runtime/mgpu/softgpu/rocm/hsakmt"

// The Go side of what entry.c exports of memory.

//export goAllocMemory
func goAllocMemory(node uint32, size uint64, flags uint32, address uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.AllocMemory(node, size, flags, uint64(address)) })
}

//export goAllocMemoryAlign
func goAllocMemoryAlign(node uint32, size, align uint64, flags uint32, address uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.AllocMemoryAlign(node, size, align, flags, uint64(address))
	})
}

//export goFreeMemory
func goFreeMemory(address uintptr, size uint64) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.FreeMemory(uint64(address), size) })
}

//export goAvailableMemory
func goAvailableMemory(node uint32, bytes uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.AvailableMemory(node, uint64(bytes)) })
}

//export goSetMemoryPolicy
func goSetMemoryPolicy(node, standard, alternate uint32, address uintptr, size uint64) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.SetMemoryPolicy(node, standard, alternate, uint64(address), size)
	})
}

//export goRegisterMemory
func goRegisterMemory(address uintptr, size uint64) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.RegisterMemory(uint64(address), size) })
}

//export goRegisterMemoryWithFlags
func goRegisterMemoryWithFlags(address uintptr, size uint64, flags uint32) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.RegisterMemoryWithFlags(uint64(address), size, flags) })
}

//export goRegisterMemoryToNodes
func goRegisterMemoryToNodes(address uintptr, size, count uint64, nodes uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.RegisterMemoryToNodes(uint64(address), size, count, uint64(nodes))
	})
}

//export goDeregisterMemory
func goDeregisterMemory(address uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.DeregisterMemory(uint64(address)) })
}

//export goMapMemoryToGPU
func goMapMemoryToGPU(address uintptr, size uint64, gpuAddress uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.MapMemoryToGPU(uint64(address), size, uint64(gpuAddress))
	})
}

//export goMapMemoryToGPUNodes
func goMapMemoryToGPUNodes(address uintptr, size uint64, gpuAddress uintptr, flags uint32, count uint64, nodes uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.MapMemoryToGPUNodes(uint64(address), size, uint64(gpuAddress), flags, count, uint64(nodes))
	})
}

//export goUnmapMemoryToGPU
func goUnmapMemoryToGPU(address uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.UnmapMemoryToGPU(uint64(address)) })
}

//export goQueryPointerInfo
func goQueryPointerInfo(address, info uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.QueryPointerInfo(uint64(address), uint64(info)) })
}

//export goSetMemoryUserData
func goSetMemoryUserData(address, user uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.SetMemoryUserData(uint64(address), uint64(user)) })
}

//export goShareMemory
func goShareMemory(address uintptr, size uint64, handle uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.ShareMemory(uint64(address), size, uint64(handle)) })
}

//export goRegisterSharedHandle
func goRegisterSharedHandle(handle, address, size uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.RegisterSharedHandle(uint64(handle), uint64(address), uint64(size))
	})
}

//export goRegisterSharedHandleToNodes
func goRegisterSharedHandleToNodes(handle, address, size uintptr, count uint64, nodes uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.RegisterSharedHandleToNodes(uint64(handle), uint64(address), uint64(size), count, uint64(nodes))
	})
}

//export goRegisterGraphicsHandleToNodes
func goRegisterGraphicsHandleToNodes(handle uint64, info uintptr, count uint64, nodes uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.RegisterGraphicsHandleToNodes(handle, uint64(info), count, uint64(nodes))
	})
}

//export goSVMSetAttr
func goSVMSetAttr(address uintptr, size uint64, count uint32, attributes uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.SVMSetAttr(uint64(address), size, count, uint64(attributes))
	})
}

//export goSVMGetAttr
func goSVMGetAttr(address uintptr, size uint64, count uint32, attributes uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.SVMGetAttr(uint64(address), size, count, uint64(attributes))
	})
}

//export goAllocated
func goAllocated(address, size uintptr, name, file *C.char, base, caller, outer uintptr) {
	site := &hsakmt.Site{Call: C.GoString(name), File: C.GoString(file), Base: uint64(base), Caller: uint64(caller), Outer: uint64(outer)}
	call(func(t *hsakmt.Thunk) hsakmt.Status {
		t.Allocated(uint64(address), uint64(size), site)
		return hsakmt.Success
	})
}
