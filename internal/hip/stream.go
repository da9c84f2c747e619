package hip

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// StreamCreate makes a stream with the default flag: ordered with the null stream.
func (d *Driver) StreamCreate() (driver.Stream, error) {
	v := C.hip_stream_create(d.h)
	return driver.Stream(v.value), d.check("hipStreamCreate", v.status)
}

// StreamDestroy destroys a stream; HIP waits for its work.
func (d *Driver) StreamDestroy(s driver.Stream) error {
	return d.check("hipStreamDestroy", C.hip_stream_destroy(d.h, C.uintptr_t(s)))
}

// StreamSynchronize waits for a stream's work.
func (d *Driver) StreamSynchronize(s driver.Stream) error {
	return d.check("hipStreamSynchronize", C.hip_stream_synchronize(d.h, C.uintptr_t(s)))
}

// StreamIdle tells whether a stream's work is done.
func (d *Driver) StreamIdle(s driver.Stream) (bool, error) {
	return d.reached("hipStreamQuery", C.hip_stream_query(d.h, C.uintptr_t(s)))
}

// StreamWaitEvent makes a stream wait for an event.
func (d *Driver) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return d.check("hipStreamWaitEvent", C.hip_stream_wait_event(d.h, C.uintptr_t(s), C.uintptr_t(e)))
}
