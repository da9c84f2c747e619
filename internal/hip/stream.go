package hip

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// StreamCreate makes a stream with the default flag: ordered with the null stream.
func (d *Driver) StreamCreate() (driver.Stream, error) {
	v := C.call_hipStreamCreate(d.t)
	return driver.Stream(v.value), d.check(v.status)
}

// StreamDestroy destroys a stream; HIP waits for its work.
func (d *Driver) StreamDestroy(s driver.Stream) error {
	return d.check(C.call_hipStreamDestroy(d.t, C.uintptr_t(s)))
}

// StreamSynchronize waits for a stream's work.
func (d *Driver) StreamSynchronize(s driver.Stream) error {
	return d.check(C.call_hipStreamSynchronize(d.t, C.uintptr_t(s)))
}

// StreamIdle tells whether a stream's work is done.
func (d *Driver) StreamIdle(s driver.Stream) (bool, error) {
	return d.done(C.call_hipStreamQuery(d.t, C.uintptr_t(s)))
}

// StreamWaitEvent makes a stream wait for an event.
func (d *Driver) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return d.check(C.call_hipStreamWaitEvent(d.t, C.uintptr_t(s), C.uintptr_t(e), 0))
}
