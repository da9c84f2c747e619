package rocm

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// inside names the suite in the process that TestConformance starts: this program once
// more, for the loader takes its folders from a process's start.
const inside = "ROCM_CONFORMANCE"

// TestConformance runs the drivers' suite on the HIP driver over each of AMD's releases.
func TestConformance(t *testing.T) {
	if i := slices.IndexFunc(suites, func(s *suite) bool { return s.name == os.Getenv(inside) }); i >= 0 {
		suites[i].conforms(t)
		return
	}
	everywhere(t, func(t *testing.T, s *suite) {
		// Streams share four of the hardware's queues otherwise, and wait for each other.
		env := []string{inside + "=" + s.name, "MGPU_SOFT_DEVICES=2", "GPU_MAX_HW_QUEUES=64"}
		r := s.start(t, env, os.Args[0], "-test.run=^TestConformance$", "-test.v")
		require.Equal(t, "exit 0", r.End, "%s\n%s", r.Stdout, r.Stderr)
		require.Contains(t, r.Stdout, "--- PASS: TestConformance/launch/")
	})
}

func (s *suite) conforms(t *testing.T) {
	drivertest.Run(t, func(t *testing.T) (driver.Driver, drivertest.Images) {
		d, err := hip.Open(s.library, nil)
		require.NoError(t, err)
		return d, drivertest.BuildAMD(t, "gfx906", "-mcode-object-version="+s.version)
	}, s.expect...)
}
