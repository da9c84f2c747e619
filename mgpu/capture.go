package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// relaxCapture allows the thread to make calls that would otherwise end captures of other threads. The caller calls
// restore afterwards.
func (f *frame) relaxCapture() (restore func()) {
	if c, ok := f.k.drv.(driver.Capturer); ok {
		return relaxCaptureMode(c).restore
	}
	return func() {}
}

// capturesAny reports whether the program captures any stream of the library, or captured a foreign stream when the
// library last saw one. It does not ask an unchecked driver about the library's streams: what the library does to
// streams that the call does not name then has to be harmless to captures.
func (k *core) capturesAny(m *meter) bool {
	c, ok := k.drv.(driver.Capturer)
	if !ok {
		return false
	}
	if k.memory != nil && k.memory.foreignCapture.Load() {
		return true
	}
	if k.unchecked {
		return false
	}
	found := false
	k.pool.Streams(func(e *streampool.Entry) bool {
		if e.Source() == streampool.OwnHandle && e.State() == streampool.Live && e.Pin() {
			found = m.streamCaptured(c, driver.Stream(e.Handle()))
			e.Unpin()
		}
		return !found
	})
	return found
}

// capturesStream reports whether the program captures a stream; false if the driver can't tell.
func (f *frame) capturesStream(s driver.Stream) bool {
	c, ok := f.k.drv.(driver.Capturer)
	if !ok || s == 0 {
		return false
	}
	on, err := c.Capturing(s)
	return on && err == nil
}
