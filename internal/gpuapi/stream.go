package gpuapi

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// StreamCreate creates a stream of the vendor's usual kind: HIP's is ordered with the null stream, CUDA's is not.
func (d *Driver) StreamCreate() (driver.Stream, error) {
	v := C.gpu_stream_create(d.t)
	return driver.Stream(v.value), d.check(v.status)
}

// StreamDestroy destroys a stream. The stream's work continues; HIP waits for it.
func (d *Driver) StreamDestroy(s driver.Stream) error {
	return d.check(C.gpu_stream_destroy(d.t, C.uintptr_t(s)))
}

// StreamSynchronize waits for a stream's work.
func (d *Driver) StreamSynchronize(s driver.Stream) error {
	return d.check(C.gpu_stream_synchronize(d.t, C.uintptr_t(s)))
}

// StreamIdle reports whether a stream's work is done.
func (d *Driver) StreamIdle(s driver.Stream) (bool, error) {
	return d.done(C.gpu_stream_query(d.t, C.uintptr_t(s)))
}

// StreamWaitEvent makes a stream wait for an event.
func (d *Driver) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return d.check(C.gpu_stream_wait_event(d.t, C.uintptr_t(s), C.uintptr_t(e), 0))
}

// Capturing asks the vendor.
func (d *Driver) Capturing(s driver.Stream) (bool, error) {
	v := C.gpu_stream_capturing(d.t, C.uintptr_t(s))
	return v.value != 0, d.check(v.status)
}

// EndCapture implements driver.Capturer.
func (d *Driver) EndCapture(s driver.Stream) (forked bool) {
	return C.gpu_end_capture(d.t, C.uintptr_t(s)).value != 0
}

// CaptureMode exchanges the thread's capture mode.
func (d *Driver) CaptureMode(mode uint32) (uint32, error) {
	v := C.gpu_capture_mode(d.t, C.uintptr_t(mode))
	return uint32(v.value), d.check(v.status)
}
