package hip

// #include "calls.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// EventCreate makes an event without timing.
func (d *Driver) EventCreate() (driver.Event, error) {
	v := C.hip_event_create(d.h)
	return driver.Event(v.value), d.check("hipEventCreateWithFlags", v.status)
}

// EventDestroy destroys an event.
func (d *Driver) EventDestroy(e driver.Event) error {
	return d.check("hipEventDestroy", C.hip_event_destroy(d.h, C.uintptr_t(e)))
}

// EventRecord records the work submitted to a stream so far.
func (d *Driver) EventRecord(e driver.Event, s driver.Stream) error {
	return d.check("hipEventRecord", C.hip_event_record(d.h, C.uintptr_t(e), C.uintptr_t(s)))
}

// EventSynchronize waits for what an event has recorded.
func (d *Driver) EventSynchronize(e driver.Event) error {
	return d.check("hipEventSynchronize", C.hip_event_synchronize(d.h, C.uintptr_t(e)))
}

// EventDone tells whether what an event has recorded is done.
func (d *Driver) EventDone(e driver.Event) (bool, error) {
	return d.reached("hipEventQuery", C.hip_event_query(d.h, C.uintptr_t(e)))
}

// WaitStream leaves a StreamSynchronize to C.
func (d *Driver) WaitStream(s driver.Stream) driver.Blocking {
	return driver.Blocking{Fn: d.waitStream, Arg: [5]uintptr{uintptr(unsafe.Pointer(d.h)), uintptr(s)}}
}

// WaitEvent leaves an EventSynchronize to C.
func (d *Driver) WaitEvent(e driver.Event) driver.Blocking {
	return driver.Blocking{Fn: d.waitEvent, Arg: [5]uintptr{uintptr(unsafe.Pointer(d.h)), uintptr(e)}}
}

// Status tells what a wait in C came to. It names HIP's function, whatever the
// call was made for.
func (d *Driver) Status(_ string, status int32) error {
	if status == 0 {
		return nil
	}
	return d.failure(C.GoString(C.hip_row_name(C.int(status>>16))), C.int32_t(status&0xffff))
}
