package fakehip_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/cuda"
	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	driverhip "github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/fakehip"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestConformanceOverCUDA runs the suite on the HIP driver, over an NVIDIA GPU. Without one
// MGPU_TEST_LONG has the library say so.
func TestConformanceOverCUDA(t *testing.T) {
	c, missing := cuda.Open("")
	if missing != nil && !chost.Long() {
		t.Skipf("no NVIDIA device: %v", missing)
	}
	library := fakehip.LibraryOverCUDA(t)
	d, err := driverhip.Open(library, nil)
	if missing != nil {
		require.ErrorContains(t, err, "tried "+library+" ('hipGetDeviceCount' failed with 'hipErrorNoDevice': ")
		t.Skipf("no NVIDIA device: %v", missing)
	}
	require.NoError(t, err)
	require.Equal(t, library, d.Library())
	images := drivertest.BuildNVIDIA(t, c.Architecture(0))
	drivertest.Run(t, func(t *testing.T) (driver.Driver, drivertest.Images) { return d, images },
		drivertest.Unsupported("garbage", "libcuda follows every handle and pointer"),
		drivertest.Unsupported("fault", "after a stray access the process's context is lost"),
	)
}
