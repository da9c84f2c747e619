package mgpu

import (
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// entry returns the pool's entry of a stream or event, nil for a foreign one. If the program has reset the device of a
// destroyed object, the handle may be that of a new, foreign object.
func (f *frame) entry(handle uintptr) *streampool.Entry {
	if !f.k.cached {
		return nil
	}
	e := f.k.pool.Find(handle)
	if e.Stale() {
		f.r.NoticeReset(e.Device())
		e = f.k.pool.Find(handle)
	}
	return e
}

// usable reports whether the program has not destroyed the object of an entry, and the misuse if it has.
func (f *frame) usable(e *streampool.Entry) bool {
	if !e.Stale() {
		return true
	}
	f.failed(f.k.pool.Misuse(e, callNames[f.call]))
	return false
}

// find is entry for a handle that the program uses. ok is false if the program has destroyed the object.
func (f *frame) find(handle uintptr) (e *streampool.Entry, ok bool) {
	e = f.entry(handle)
	return e, f.usable(e)
}

// findEvent is find for a handle that the program passes as an event. The handle may be that of a stream.
func (f *frame) findEvent(handle uintptr) (e *streampool.Entry, ok bool) {
	e, ok = f.find(handle)
	if ok && e != nil && f.k.pool.Replaced(f.meter, e) {
		return nil, true
	}
	return e, ok
}

// findStream is find for a handle that must be a stream, to which work is submitted. Zero is the null stream.
func (f *frame) findStream(handle uintptr) (e *streampool.Entry, ok bool) {
	if handle == 0 {
		return f.nullStream()
	}
	if e, ok = f.findNamedStream(handle); ok && e == nil {
		f.sawForeign(handle)
	}
	return e, ok
}

// findNamedStream is find for a handle that must be a stream other than the null stream.
func (f *frame) findNamedStream(handle uintptr) (e *streampool.Entry, ok bool) {
	e = f.entry(handle)
	if e != nil && f.k.pool.ReplacedByStream(f.meter, e) {
		return nil, true
	}
	if ok = f.usable(e); ok && e != nil && e.Kind() != streampool.Stream {
		f.failed(f.wrongKind(handle, "an event, not a stream"))
		return e, false
	}
	return e, ok
}

// streamExists reports whether a handle is a stream's, which the driver is asked about if the pool does not know the
// handle. If it is none, that is the call's failure.
func (f *frame) streamExists(handle uintptr) bool {
	if handle == 0 {
		return true
	}
	e, ok := f.findNamedStream(handle)
	if !ok || e != nil {
		return ok
	}
	c, ok := f.k.drv.(driver.Capturer)
	if !ok {
		_, err := f.StreamIdle(driver.Stream(handle))
		return !f.failed(err)
	}
	// A capture forbids other questions. Other errors say that the stream is captured.
	_, err := c.Capturing(driver.Stream(handle))
	var de *driver.Error
	return !errors.As(err, &de) || de.Code != driver.InvalidHandle || !f.failed(err)
}

func (f *frame) wrongKind(handle uintptr, what string) error {
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", callNames[f.call], handle), Code: driver.InvalidHandle, Detail: fmt.Sprintf("%#x is %s", handle, what)}
}
