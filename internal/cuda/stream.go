package cuda

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// StreamCreate makes a non-blocking stream: not ordered with the null stream.
func (d *Driver) StreamCreate() (driver.Stream, error) {
	v := C.call_cuStreamCreate(d.t, C.cuda_stream_non_blocking)
	return driver.Stream(v.value), d.check(v.status)
}

// StreamDestroy destroys a stream; its work goes on.
func (d *Driver) StreamDestroy(s driver.Stream) error {
	return d.check(C.call_cuStreamDestroy_v2(d.t, C.uintptr_t(s)))
}

// StreamSynchronize waits for a stream's work.
func (d *Driver) StreamSynchronize(s driver.Stream) error {
	return d.check(C.call_cuStreamSynchronize(d.t, C.uintptr_t(s)))
}

// StreamIdle tells whether a stream's work is done.
func (d *Driver) StreamIdle(s driver.Stream) (bool, error) {
	return d.done(C.call_cuStreamQuery(d.t, C.uintptr_t(s)))
}

// StreamWaitEvent makes a stream wait for an event.
func (d *Driver) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return d.check(C.call_cuStreamWaitEvent(d.t, C.uintptr_t(s), C.uintptr_t(e), 0))
}
