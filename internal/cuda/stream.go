package cuda

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// StreamCreate makes a non-blocking stream: not ordered with the null stream.
func (d *Driver) StreamCreate() (driver.Stream, error) {
	v := C.cuda_stream_create(d.c)
	return driver.Stream(v.value), d.check("cuStreamCreate", v.status)
}

// StreamDestroy destroys a stream; its work goes on.
func (d *Driver) StreamDestroy(s driver.Stream) error {
	return d.check("cuStreamDestroy_v2", C.cuda_stream_destroy(d.c, C.uintptr_t(s)))
}

// StreamSynchronize waits for a stream's work.
func (d *Driver) StreamSynchronize(s driver.Stream) error {
	return d.check("cuStreamSynchronize", C.cuda_stream_synchronize(d.c, C.uintptr_t(s)))
}

// StreamIdle tells whether a stream's work is done.
func (d *Driver) StreamIdle(s driver.Stream) (bool, error) {
	return d.reached("cuStreamQuery", C.cuda_stream_query(d.c, C.uintptr_t(s)))
}

// StreamWaitEvent makes a stream wait for an event.
func (d *Driver) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return d.check("cuStreamWaitEvent", C.cuda_stream_wait_event(d.c, C.uintptr_t(s), C.uintptr_t(e)))
}
