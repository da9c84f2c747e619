package fakehip_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	driverhip "github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/fakehip"
)

// TestConformance runs the suite on the HIP driver, over the library. Much of the
// suite is what no program may do: that is not told here.
func TestConformance(t *testing.T) {
	t.Setenv("FAKEHIP_IGNORE", "argument,device,handle,memory,order")
	t.Setenv("FAKEHIP_DEVICES", "2")
	drivertest.Run(t, func(t *testing.T) (driver.Driver, drivertest.Images) {
		d, err := driverhip.Open(fakehip.Library(t), nil)
		require.NoError(t, err)
		return d, fakehip.Images(t)
	})
}
