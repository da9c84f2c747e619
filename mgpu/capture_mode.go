package mgpu

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// captureMode is the thread's capture mode before relaxCaptureMode, for restoring it.
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
