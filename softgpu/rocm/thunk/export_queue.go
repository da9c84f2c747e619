package main

import "C"

import "github.com/mgpu-runtime/mgpu/softgpu/rocm/hsakmt"

// The Go side of what entry.c exports of queues.

//export goCreateQueue
func goCreateQueue(node, kind, percent uint32, priority int32, ring uintptr, size uint64, event, resource uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.CreateQueue(node, kind, percent, priority, uint64(ring), size, uint64(event), uint64(resource))
	})
}

//export goCreateQueueExt
func goCreateQueueExt(node, kind, percent uint32, priority int32, engine uint32, ring uintptr, size uint64, event, resource uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.CreateQueueExt(node, kind, percent, priority, engine, uint64(ring), size, uint64(event), uint64(resource))
	})
}

//export goUpdateQueue
func goUpdateQueue(queue uint64, percent uint32, priority int32, ring uintptr, size uint64, event uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.UpdateQueue(queue, percent, priority, uint64(ring), size, uint64(event))
	})
}

//export goDestroyQueue
func goDestroyQueue(queue uint64) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.DestroyQueue(queue) })
}

//export goQueueRingDoorbell
func goQueueRingDoorbell(queue, value uint64) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.QueueRingDoorbell(queue, value) })
}

//export goSetQueueCUMask
func goSetQueueCUMask(queue uint64, count uint32, mask uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.SetQueueCUMask(queue, count, uint64(mask)) })
}

//export goAllocQueueGWS
func goAllocQueueGWS(queue uint64, count uint32, first uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.AllocQueueGWS(queue, count, uint64(first)) })
}
