package main

import "C"

import "github.com/mgpu-runtime/mgpu/softgpu/rocm/hsakmt"

// The Go side of what entry.c exports of nodes.

//export goGetNodeProperties
func goGetNodeProperties(node uint32, properties uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.GetNodeProperties(node, uint64(properties)) })
}

//export goGetNodeMemoryProperties
func goGetNodeMemoryProperties(node, count uint32, array uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.GetNodeMemoryProperties(node, count, uint64(array)) })
}

//export goGetNodeCacheProperties
func goGetNodeCacheProperties(node, processor, count uint32, array uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.GetNodeCacheProperties(node, processor, count, uint64(array))
	})
}

//export goGetNodeIoLinkProperties
func goGetNodeIoLinkProperties(node, count uint32, array uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.GetNodeIoLinkProperties(node, count, uint64(array)) })
}
