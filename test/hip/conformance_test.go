package hip_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	driverhip "github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/hip"
)

// TestConformance runs the suite on the HIP driver, over the library.
func TestConformance(t *testing.T) {
	drivertest.Run(t, func(t *testing.T) (driver.Driver, drivertest.Images) {
		d, err := driverhip.Open(driverhip.Options{Library: hip.Library(t)})
		require.NoError(t, err)
		return d, hip.Images(t)
	})
}
