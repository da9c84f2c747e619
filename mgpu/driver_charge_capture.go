package mgpu

import (
	"errors"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// streamCaptured asks the driver whether the program captures a stream. The call is charged.
func (m *meter) streamCaptured(c driver.Capturer, s driver.Stream) bool {
	defer m.charge().stop()
	on, err := c.Capturing(s)
	return on && err == nil
}

// StreamCondition asks the driver for the condition of a stream that the program is giving back.
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

// StreamKnown asks the driver whether a handle is a stream. It returns false if the driver is one on which programs
// make streams only through the library.
func (m *meter) StreamKnown(s driver.Stream) bool {
	c, ok := m.drv.(driver.Capturer)
	if !ok {
		return false
	}
	_, err := c.Capturing(s)
	return err == nil
}

// EndCapture ends the capture of a stream that the program is giving back.
func (m *meter) EndCapture(s driver.Stream) (forked bool) {
	c, ok := m.drv.(driver.Capturer)
	return ok && c.EndCapture(s)
}
