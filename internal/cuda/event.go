package cuda

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// EventCreate makes an event without timing.
func (d *Driver) EventCreate() (driver.Event, error) {
	v := C.cuda_event_create(d.c)
	return driver.Event(v.value), d.check("cuEventCreate", v.status)
}

// EventDestroy destroys an event.
func (d *Driver) EventDestroy(e driver.Event) error {
	return d.check("cuEventDestroy_v2", C.cuda_event_destroy(d.c, C.uintptr_t(e)))
}

// EventRecord records the work submitted to a stream so far.
func (d *Driver) EventRecord(e driver.Event, s driver.Stream) error {
	return d.check("cuEventRecord", C.cuda_event_record(d.c, C.uintptr_t(e), C.uintptr_t(s)))
}

// EventSynchronize waits for what an event has recorded.
func (d *Driver) EventSynchronize(e driver.Event) error {
	return d.check("cuEventSynchronize", C.cuda_event_synchronize(d.c, C.uintptr_t(e)))
}

// EventDone tells whether what an event has recorded is done.
func (d *Driver) EventDone(e driver.Event) (bool, error) {
	return d.reached("cuEventQuery", C.cuda_event_query(d.c, C.uintptr_t(e)))
}

// WaitStream leaves a StreamSynchronize to C.
func (d *Driver) WaitStream(s driver.Stream) driver.Blocking {
	return driver.Blocking{Fn: d.waitStream, Arg: [5]uintptr{uintptr(unsafe.Pointer(d.c)), uintptr(s)}}
}

// WaitEvent leaves an EventSynchronize to C.
func (d *Driver) WaitEvent(e driver.Event) driver.Blocking {
	return driver.Blocking{Fn: d.waitEvent, Arg: [5]uintptr{uintptr(unsafe.Pointer(d.c)), uintptr(e)}}
}

// Status tells what a wait in C came to. It names the function of libcuda, whatever the
// call was made for.
func (d *Driver) Status(_ string, status int32) error {
	if status == 0 {
		return nil
	}
	return d.failure("", C.int32_t(status))
}
