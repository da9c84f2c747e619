package cuda

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// EventCreate makes an event without timing.
func (d *Driver) EventCreate() (driver.Event, error) {
	v := C.call_cuEventCreate(d.t, C.cuda_event_disable_timing)
	return driver.Event(v.value), d.check(v.status)
}

// EventDestroy destroys an event.
func (d *Driver) EventDestroy(e driver.Event) error {
	return d.check(C.call_cuEventDestroy_v2(d.t, C.uintptr_t(e)))
}

// EventRecord records the work submitted to a stream so far.
func (d *Driver) EventRecord(e driver.Event, s driver.Stream) error {
	return d.check(C.call_cuEventRecord(d.t, C.uintptr_t(e), C.uintptr_t(s)))
}

// EventSynchronize waits for what an event has recorded.
func (d *Driver) EventSynchronize(e driver.Event) error {
	return d.check(C.call_cuEventSynchronize(d.t, C.uintptr_t(e)))
}

// EventDone tells whether what an event has recorded is done.
func (d *Driver) EventDone(e driver.Event) (bool, error) {
	return d.done(C.call_cuEventQuery(d.t, C.uintptr_t(e)))
}
