package softgpu

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestPrintfBuffersOfOpenCL(t *testing.T) {
	for _, level := range []string{"-O0", "-O2"} {
		d, out, _ := printing(t)
		image := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.Join("testdata", "records.cl"), "-mcpu=gfx906",
			"-mcode-object-version=5", "-Xclang", "-finclude-default-header", level})
		require.NoError(t, run(t, d, image, "prints", d1(2), d1(100), uint32(7)))
		var want []string
		for i := range 100 {
			line := fmt.Sprintf("item %d of 7: a text 1.000000,2.000000,3.000000,4.000000  3.00 x 70000000000 -1,2 100%%", i)
			want = append(want, line, line, "no arguments: at all", "no arguments: at all")
		}
		sort.Strings(want)
		assert.Equal(t, want, sorted(out.drain()))

		if level == "-O2" {
			require.NoError(t, run(t, d, image, "overruns", d1(1), d1(4), uint32(7)))
			assert.Equal(t, (recordsSize-8)/20, strings.Count(out.drain(), "\n"), "what fits")
		}

		err := run(t, d, image, "damages", d1(1), d1(1), uint32(7))
		require.ErrorIs(t, err, driver.LaunchFailure)
		assert.Contains(t, err.Error(), "kernel damages: printf buffer: there is no format 99")
	}
}

func TestPrintfBuffersOfHIP(t *testing.T) {
	d, out, _ := printing(t)
	image := clang(t, []string{"-x", "hip", "--offload-arch=gfx906", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib",
		"-mcode-object-version=5", "-mprintf-kind=buffered", "-O2", filepath.Join("testdata", "records.hip")})
	format, err := d.MemAlloc(64)
	require.NoError(t, err)
	copy(elements[byte](uintptr(format), 64), "dynamic: %d and %d\n\x00")
	require.NoError(t, run(t, d, image, "prints", d1(1), d1(3), format, uint32(40)))
	text := out.drain()
	for i := range 3 {
		assert.Contains(t, text, fmt.Sprintf("item %d: text 1.500000\n", 40+i))
	}
	assert.Equal(t, 3, strings.Count(text, "dynamic: 40 and 7\n"))
}
