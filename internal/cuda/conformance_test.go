package cuda_test

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/cuda"
	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// device opens the machine's CUDA driver, and skips the test where it has none.
func device(t *testing.T) *cuda.Driver {
	t.Helper()
	d, err := cuda.Open("")
	if err != nil {
		t.Skipf("no CUDA device: %v", err)
	}
	return d
}

func TestConformance(t *testing.T) {
	d := device(t)
	drivertest.Run(t, func(t *testing.T) (driver.Driver, drivertest.Images) {
		return d, drivertest.BuildNVIDIA(t, d.Architecture(0))
	},
		drivertest.Unsupported("garbage", "libcuda follows every handle and pointer"),
		drivertest.Unsupported("fault", "after a stray access the process's context is lost"),
	)
}
