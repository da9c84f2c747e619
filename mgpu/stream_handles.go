package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// find returns the pool's entry of a stream or event, nil for a foreign one. If the program has destroyed the object,
// find reports the misuse and ok is false.
func (f *frame) find(handle uintptr) (e *streampool.Entry, ok bool) {
	if !f.k.cached {
		return nil, true
	}
	e = f.k.pool.Find(handle)
	if e.Stale() {
		f.failed(f.k.pool.Misuse(e, callNames[f.call]))
		return e, false
	}
	return e, true
}

// findEvent is find for a handle that the program passes as an event. The handle may be that of a stream.
func (f *frame) findEvent(handle uintptr) (e *streampool.Entry, ok bool) {
	e, ok = f.find(handle)
	if ok && e != nil && f.k.pool.Replaced(f.meter, e) {
		return nil, true
	}
	return e, ok
}

// findStream is find for a handle that must be a stream. Zero is the null stream.
func (f *frame) findStream(handle uintptr) (e *streampool.Entry, ok bool) {
	if handle == 0 {
		return f.nullStream()
	}
	if e, ok = f.find(handle); ok && e != nil && f.k.pool.ReplacedByStream(f.meter, e) {
		e = nil
	}
	if ok && e != nil && e.Kind() != streampool.Stream {
		f.failed(f.wrongKind(handle, "an event, not a stream"))
		return e, false
	}
	if ok && e == nil {
		f.sawForeign(handle)
	}
	return e, ok
}

func (f *frame) wrongKind(handle uintptr, what string) error {
	return &driver.Error{Call: fmt.Sprintf("%s(%#x)", callNames[f.call], handle), Code: driver.InvalidHandle, Detail: fmt.Sprintf("%#x is %s", handle, what)}
}
