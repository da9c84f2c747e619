package main

import "C"

import "github.com/mgpu-runtime/mgpu/softgpu/rocm/hsakmt"

// The Go side of what entry.c exports of the driver as a whole.

//export goOpenKFD
func goOpenKFD() int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.OpenKFD() })
}

//export goCloseKFD
func goCloseKFD() int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.CloseKFD() })
}

//export goGetVersion
func goGetVersion(info uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.GetVersion(uint64(info)) })
}

//export goAcquireSystemProperties
func goAcquireSystemProperties(properties uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.AcquireSystemProperties(uint64(properties)) })
}

//export goReleaseSystemProperties
func goReleaseSystemProperties() int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.ReleaseSystemProperties() })
}

//export goRuntimeEnable
func goRuntimeEnable(debug uintptr, ttmp bool) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.RuntimeEnable(uint64(debug), ttmp) })
}

//export goRuntimeDisable
func goRuntimeDisable() int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.RuntimeDisable() })
}

//export goGetRuntimeCapabilities
func goGetRuntimeCapabilities(mask uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.GetRuntimeCapabilities(uint64(mask)) })
}

//export goGetXNACKMode
func goGetXNACKMode(enabled uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.GetXNACKMode(uint64(enabled)) })
}

//export goSetXNACKMode
func goSetXNACKMode(enable int32) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.SetXNACKMode(enable) })
}

//export goGetClockCounters
func goGetClockCounters(node uint32, counters uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.GetClockCounters(node, uint64(counters)) })
}

//export goSetTrapHandler
func goSetTrapHandler(node uint32, code uintptr, codeSize uint64, data uintptr, dataSize uint64) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		return t.SetTrapHandler(node, uint64(code), codeSize, uint64(data), dataSize)
	})
}

//export goGetTileConfig
func goGetTileConfig(node uint32, config uintptr) int32 {
	return call(func(t *hsakmt.Thunk) hsakmt.Status { return t.GetTileConfig(node, uint64(config)) })
}
