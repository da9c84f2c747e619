package gpuapi

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// EventCreate makes an event without timing.
func (d *Driver) EventCreate() (driver.Event, error) {
	v := C.gpu_event_create(d.t, d.v.flags.event)
	return driver.Event(v.value), d.check(v.status)
}

// EventDestroy destroys an event.
func (d *Driver) EventDestroy(e driver.Event) error {
	return d.check(C.gpu_event_destroy(d.t, C.uintptr_t(e)))
}

// EventRecord records the work submitted to a stream so far.
func (d *Driver) EventRecord(e driver.Event, s driver.Stream) error {
	return d.check(C.gpu_event_record(d.t, C.uintptr_t(e), C.uintptr_t(s)))
}

// EventSynchronize waits for the work that an event has recorded.
func (d *Driver) EventSynchronize(e driver.Event) error {
	return d.check(C.gpu_event_synchronize(d.t, C.uintptr_t(e)))
}

// EventDone reports whether the work that an event has recorded is done.
func (d *Driver) EventDone(e driver.Event) (bool, error) {
	return d.done(C.gpu_event_query(d.t, C.uintptr_t(e)))
}

// TimedEventCreate makes an event that times work.
func (d *Driver) TimedEventCreate() (driver.Event, error) {
	v := C.gpu_event_create(d.t, 0)
	return driver.Event(v.value), d.check(v.status)
}

// EventElapsed returns the nanoseconds between two events with timing.
func (d *Driver) EventElapsed(from, to driver.Event) (int64, error) {
	v := C.gpu_event_elapsed(d.t, C.uintptr_t(from), C.uintptr_t(to))
	return int64(v.value), d.check(v.status)
}
