package mgpu

import (
	"errors"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// relaxCapture lets the thread make calls that would otherwise end captures of other threads.
// The caller calls restore afterwards.
func (f *frame) relaxCapture() (restore func()) {
	if c, ok := f.k.drv.(driver.Capturer); ok {
		return relaxCaptureMode(c).restore
	}
	return func() {}
}

// captureMode is the thread's capture mode before relaxCaptureMode, to be restored.
type captureMode struct {
	c      driver.Capturer // nil: nothing to restore
	before uint32
}

func relaxCaptureMode(c driver.Capturer) captureMode {
	before, err := c.CaptureMode(driver.CaptureRelaxed)
	if err != nil {
		return captureMode{}
	}
	return captureMode{c, before}
}

func (m captureMode) restore() {
	if m.c != nil {
		_, _ = m.c.CaptureMode(m.before)
	}
}

// capturesAny reports whether the program captures any stream that the library gave out, or
// did capture a foreign stream when last seen.
func (k *core) capturesAny(m *meter) bool {
	c, ok := k.drv.(driver.Capturer)
	if !ok {
		return false
	}
	if k.memory != nil && k.memory.foreignCapture.Load() {
		return true
	}
	found := false
	k.pool.Streams(func(e *streampool.Entry) bool {
		if e.Handle() != 0 && e.State() == streampool.Live && e.Pin() {
			found = m.streamCaptured(c, driver.Stream(e.Handle()))
			e.Unpin()
		}
		return !found
	})
	return found
}

// streamCaptured asks the driver whether the program captures a stream. The call is charged.
func (m *meter) streamCaptured(c driver.Capturer, s driver.Stream) bool {
	defer m.charge().stop()
	on, err := c.Capturing(s)
	return on && err == nil
}

// StreamCondition asks the driver what the program has done to a stream that it gives back.
func (m *meter) StreamCondition(s driver.Stream) streampool.Condition {
	c, ok := m.drv.(driver.Capturer)
	if !ok {
		return streampool.Usable
	}
	switch on, err := c.Capturing(s); {
	case on:
		return streampool.Captured
	case errors.Is(err, driver.InvalidHandle), errors.Is(err, driver.InvalidValue):
		return streampool.Unknown
	}
	return streampool.Usable
}

// StreamKnown asks the driver whether a handle is a stream. False if programs make none without
// the library.
func (m *meter) StreamKnown(s driver.Stream) bool {
	c, ok := m.drv.(driver.Capturer)
	if !ok {
		return false
	}
	_, err := c.Capturing(s)
	return err == nil
}

// EndCapture ends the capture of a stream that the program gives back.
func (m *meter) EndCapture(s driver.Stream) (forked bool) {
	c, ok := m.drv.(driver.Capturer)
	return ok && c.EndCapture(s)
}

// StreamIsCapturing reports whether the program captures a stream.
func (r *Runtime) StreamIsCapturing(stream uintptr) bool {
	f, ok := r.enter(streamIsCapturing)
	if !ok {
		return false
	}
	defer f.leave()
	e, ok := f.findStream(stream)
	if !ok {
		return false
	}
	if e != nil && e.Kind() != streampool.Stream {
		f.failed(f.wrongKind(stream, "an event, not a stream"))
		return false
	}
	c, ok := f.k.drv.(driver.Capturer)
	if !ok {
		return false
	}
	capturing, err := c.Capturing(driver.Stream(stream))
	return !f.failed(err) && capturing
}

// capturesStream reports whether the program captures a stream; false if the driver can't
// tell.
func (f *frame) capturesStream(s driver.Stream) bool {
	c, ok := f.k.drv.(driver.Capturer)
	if !ok || s == 0 {
		return false
	}
	on, err := c.Capturing(s)
	return on && err == nil
}
