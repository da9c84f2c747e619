package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// relax lets the thread make calls that would end captures of other threads, until
// what it returns is called.
func (f *frame) relax() (restore func()) {
	if c, ok := f.k.drv.(driver.Capturer); ok {
		return relaxed(c).end
	}
	return func() {}
}

// captureMode is the one that the thread had.
type captureMode struct {
	c      driver.Capturer // nil: nothing was changed
	before uint32
}

func relaxed(c driver.Capturer) captureMode {
	before, err := c.CaptureMode(driver.CaptureRelaxed)
	if err != nil {
		return captureMode{}
	}
	return captureMode{c, before}
}

func (m captureMode) end() {
	if m.c != nil {
		_, _ = m.c.CaptureMode(m.before)
	}
}

// capturesOn reports whether the program captures a stream.
func (f *frame) capturesOn(stream uintptr) bool {
	d, ok := f.k.drv.(driver.Capturer)
	if !ok || stream == 0 {
		return false
	}
	defer f.charge().stop()
	on, err := d.Capturing(driver.Stream(stream))
	return on || err != nil
}

// capturing reports whether the program captures a stream, as far as the streams
// that it was given or has passed tell.
func (k *core) capturing(m *meter) bool {
	c, ok := k.drv.(driver.Capturer)
	if !ok {
		return false
	}
	if k.memory != nil && k.memory.foreignCapture.Load() {
		return true
	}
	found := false
	k.pool.Streams(func(e *streampool.Entry) bool {
		if e.Handle() != 0 && e.State() == streampool.Live {
			found = m.capturing(c, driver.Stream(e.Handle()))
		}
		return !found
	})
	return found
}

// capturing reports whether the program captures a stream.
func (m *meter) capturing(c driver.Capturer, s driver.Stream) bool {
	defer m.charge().stop()
	on, err := c.Capturing(s)
	return on && err == nil
}

// captures tells whether the program captures a stream.
func (f *frame) captures(s driver.Stream) bool {
	c, ok := f.k.drv.(driver.Capturer)
	if !ok || s == 0 {
		return false
	}
	on, err := c.Capturing(s)
	return on && err == nil
}
