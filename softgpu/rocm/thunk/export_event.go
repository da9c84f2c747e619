package main

import "C"

import "github.com/mgpu-runtime/mgpu/softgpu/rocm/hsakmt"

// The Go side of what entry.c exports of events.

//export goCreateEvent
func goCreateEvent(descriptor uintptr, manual, set bool, event uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.CreateEvent(uint64(descriptor), manual, set, uint64(event))
	})
}

//export goDestroyEvent
func goDestroyEvent(event uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.DestroyEvent(uint64(event)) })
}

//export goSetEvent
func goSetEvent(event uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.SetEvent(uint64(event)) })
}

//export goResetEvent
func goResetEvent(event uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.ResetEvent(uint64(event)) })
}

//export goQueryEventState
func goQueryEventState(event uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.QueryEventState(uint64(event)) })
}

//export goWaitOnEvent
func goWaitOnEvent(event uintptr, ms uint32) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.WaitOnEvent(uint64(event), ms) })
}

//export goWaitOnEvent_Ext
func goWaitOnEvent_Ext(event uintptr, ms uint32, age uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.WaitOnEventExt(uint64(event), ms, uint64(age)) })
}

//export goWaitOnMultipleEvents
func goWaitOnMultipleEvents(events uintptr, count uint32, all bool, ms uint32) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.WaitOnMultipleEvents(uint64(events), count, all, ms) })
}

//export goWaitOnMultipleEvents_Ext
func goWaitOnMultipleEvents_Ext(events uintptr, count uint32, all bool, ms uint32, ages uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.WaitOnMultipleEventsExt(uint64(events), count, all, ms, uint64(ages))
	})
}
