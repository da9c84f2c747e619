package null_test

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestConformance(t *testing.T) {
	const idle, unchecked, empty = "no kernel runs", "takes every argument", "memory holds nothing"
	opts := []drivertest.Option{
		drivertest.Unsupported("launch", idle), drivertest.Unsupported("fault", idle),
		drivertest.Unsupported("garbage", unchecked), drivertest.Unsupported("module", unchecked),
		drivertest.Unsupported("memory", empty), drivertest.Unsupported("graph", idle),
		drivertest.Unsupported("device/names of others are empty", unchecked),
	}
	for _, name := range []string{
		"stream/is busy until its work is done", "stream/work is done in order", "stream/copies, fills and kernels keep the order",
		"stream/two of them progress independently", "stream/others go on while one is held",
		"stream/destroying one with work pending loses nothing", "stream/the null stream works",
		"event/is done when what it recorded is", "event/work submitted later is not part of it", "event/a stream waits for it",
		"event/a wait is for the record before it", "event/destroying one does not end a wait on it",
	} {
		opts = append(opts, drivertest.Unsupported(name, idle))
	}
	drivertest.Run(t, func(*testing.T) (driver.Driver, drivertest.Images) { return null.Open(null.Options{}), nil }, opts...)
}
