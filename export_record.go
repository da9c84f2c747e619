package main

// #include "layout.h"
// #include "record.h"
// #include "thread.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu"
)

// The Go side of calls that are recorded. id is the recording. Each function returns what C does with the call: see
// record.h.

// recordResult returns what C does with a call that was recorded, or ended the recording.
func recordResult(recorded bool) C.int32_t {
	if recorded {
		return C.call_recorded
	}
	return C.recording_ended
}

// waitResult is recordResult for waits, which C may have to make while the recording continues.
func waitResult(recorded, over bool) C.int32_t {
	if !recorded && !over {
		return C.call_not_recorded
	}
	return recordResult(recorded)
}

//export goRecordEnd
func goRecordEnd(id C.uintptr_t, call *C.char) {
	defer rt.GuardAs("a recording")
	rt.Regions().RecordEnd(uintptr(id), C.GoString(call))
}

//export goRecordLaunch
func goRecordLaunch(id C.uintptr_t, l *C.struct_launch) (result C.int32_t) {
	defer rt.Guard(C.call_mgpuLaunchKernel)
	return recordResult(rt.RecordLaunch(uintptr(id), (*mgpu.Launch)(unsafe.Pointer(l))))
}

//export goRecordMemcpy
func goRecordMemcpy(id, dst, src C.uintptr_t, bytes C.uint64_t, stream C.uintptr_t) (result C.int32_t) {
	defer rt.Guard(C.call_mgpuMemcpy)
	return recordResult(rt.Regions().RecordMemcpy(uintptr(id), uintptr(dst), uintptr(src), uint64(bytes), uintptr(stream)))
}

//export goRecordMemset
func goRecordMemset(id, dst C.uintptr_t, value, size C.uint32_t, count C.uint64_t, stream C.uintptr_t) (result C.int32_t) {
	call := C.call_mgpuMemset32
	if size == 2 {
		call = C.call_mgpuMemset16
	}
	defer rt.Guard(call)
	return recordResult(rt.Regions().RecordMemset(uintptr(id), uintptr(dst), uint32(value), uint32(size), uint64(count), uintptr(stream)))
}

// goRecordAlloc allocates for a recording. over is set if the recording has ended; then nothing was allocated.
//
//export goRecordAlloc
func goRecordAlloc(id C.uintptr_t, bytes C.uint64_t, site, session C.uintptr_t, over *C.bool) C.uintptr_t {
	*over = true
	defer rt.Guard(C.call_mgpuMemAlloc)
	p, ended := rt.Regions().RecordAlloc(uintptr(id), uint64(bytes), uintptr(site), uintptr(session))
	*over = C.bool(ended)
	return C.uintptr_t(p)
}

//export goRecordFree
func goRecordFree(id, ptr C.uintptr_t) (result C.int32_t) {
	defer rt.Guard(C.call_mgpuMemFree)
	return recordResult(rt.Regions().RecordFree(uintptr(id), uintptr(ptr)))
}

//export goRecordStreamCreated
func goRecordStreamCreated(id, stream C.uintptr_t) {
	defer rt.Guard(C.call_mgpuStreamCreate)
	rt.Regions().RecordStreamCreated(uintptr(id), uintptr(stream))
}

//export goRecordStreamDestroyed
func goRecordStreamDestroyed(id, stream C.uintptr_t) {
	defer rt.Guard(C.call_mgpuStreamDestroy)
	rt.Regions().RecordStreamDestroyed(uintptr(id), uintptr(stream))
}

//export goRecordSynchronize
func goRecordSynchronize(id, stream C.uintptr_t) (result C.int32_t) {
	defer rt.Guard(C.call_mgpuStreamSynchronize)
	return waitResult(rt.Regions().RecordSynchronize(uintptr(id), uintptr(stream)))
}

//export goRecordEventRecord
func goRecordEventRecord(id, event, stream C.uintptr_t) (result C.int32_t) {
	defer rt.Guard(C.call_mgpuEventRecord)
	return recordResult(rt.Regions().RecordEventRecord(uintptr(id), uintptr(event), uintptr(stream)))
}

//export goRecordStreamWait
func goRecordStreamWait(id, stream, event C.uintptr_t) (result C.int32_t) {
	defer rt.Guard(C.call_mgpuStreamWaitEvent)
	return recordResult(rt.Regions().RecordStreamWait(uintptr(id), uintptr(stream), uintptr(event)))
}

//export goRecordEventSynchronize
func goRecordEventSynchronize(id, event C.uintptr_t) (result C.int32_t) {
	defer rt.Guard(C.call_mgpuEventSynchronize)
	return waitResult(rt.Regions().RecordEventSynchronize(uintptr(id), uintptr(event)))
}

//export goRecordEventDestroyed
func goRecordEventDestroyed(id, event C.uintptr_t) {
	defer rt.Guard(C.call_mgpuEventDestroy)
	rt.Regions().RecordEventDestroyed(uintptr(id), uintptr(event))
}

// goGraphBegin begins a region and returns its recording, zero if none has begun. recording is the thread's existing
// recording, zero for none. records is set if calls become nodes.
//
//export goGraphBegin
func goGraphBegin(key C.uint64_t, recording C.uintptr_t, records *C.bool) C.uintptr_t {
	defer rt.Guard(C.call_mgpuxGraphBegin)
	begun := rt.Regions().GraphBegin(uint64(key), uintptr(recording))
	*records = C.bool(begun.Records)
	return C.uintptr_t(begun.Recording)
}

//export goGraphRecording
func goGraphRecording(id C.uintptr_t) (records C.bool) {
	defer rt.Guard(C.call_mgpuxGraphIsRecording)
	return C.bool(rt.Regions().GraphRecording(uintptr(id)))
}

//export goStreamIsCapturing
func goStreamIsCapturing(stream C.uintptr_t) (capturing C.bool) {
	defer rt.Guard(C.call_mgpuxStreamIsCapturing)
	return C.bool(rt.StreamIsCapturing(uintptr(stream)))
}

//export goGraphEnd
func goGraphEnd(id C.uintptr_t, w *C.struct_wait) (launched C.bool) {
	defer rt.Guard(C.call_mgpuxGraphEnd)
	graph, wait := rt.GraphEnd(uintptr(id))
	passWait(wait, w)
	return C.bool(graph)
}

//export goGraphAbandon
func goGraphAbandon(id C.uintptr_t) {
	defer rt.GuardAs("a recording")
	rt.Regions().GraphAbandon(uintptr(id))
}

//export goGraphLaunch
func goGraphLaunch(key C.uint64_t, stream C.uintptr_t) {
	defer rt.Guard(C.call_mgpuxGraphLaunch)
	rt.Regions().GraphLaunch(uint64(key), uintptr(stream))
}

//export goGraphUpdate
func goGraphUpdate(key, other C.uint64_t) (result C.int32_t) {
	result = -1
	defer rt.Guard(C.call_mgpuxGraphUpdate)
	return C.int32_t(rt.Regions().GraphUpdate(uint64(key), uint64(other)))
}

//export goGraphDestroy
func goGraphDestroy(key C.uint64_t) {
	defer rt.Guard(C.call_mgpuxGraphDestroy)
	rt.Regions().GraphDestroy(uint64(key))
}
