package fakehip_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/cuda"
	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	driverhip "github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/fakehip"
)

// TestConformanceOverCUDA runs the suite on the HIP driver, over an NVIDIA GPU.
func TestConformanceOverCUDA(t *testing.T) {
	library := fakehip.LibraryOverCUDA(t)
	d, err := driverhip.Open(library, nil)
	c, missing := cuda.Open("")
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
