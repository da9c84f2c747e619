package abi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// A CUDA driver that prints its arguments shows which ones reach it.
func TestArgumentsReachTheDriverInOrder(t *testing.T) {
	stub := chost.Build(t, "libstub.so", []string{"../../../internal/cuda/testdata/stub.c"}, "-shared", "-fPIC", "-w", "-DRECORD")
	host := linked(t, "recorded.c")
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{"MGPU_DRIVER=cuda", "MGPU_CUDA_LIBRARY=" + stub, "MGPU_CACHE=" + cache}, host)
		clean(t, r)
		require.Equal(t, `plain 0x70 grid 1 2 3 block 4 5 6 shared 7 stream given params 0x80 extra 0x90
extended 0x70 grid 4 5 6 block 7 8 9 shared 10 stream given params 0x80 extra 0x90
  cluster 1 2 3
  attribute 5 is 1
cooperative 0x70 grid 1 2 3 block 7 8 9 shared 10 stream given params 0x80 extra (nil)
extended 0x70 grid 1 2 3 block 7 8 9 shared 10 stream given params 0x80 extra (nil)
  cluster 4 5 6
  attribute 5 is 1
  attribute 2 is 1
map aligned type 7 of 0xd000, modes 1 2 3 4
  size 64 tile 32 step 2 stride 256
  size 5 tile 3 step 1 stride 0
encoded: a map
map aligned type 6 of 0x2000, modes 4 3 2 1
  size 64 tile 32 step 1 stride 192
  size 5 tile 5 step 1 stride 960
  size 3 tile 1 step 1 stride 0
copy 128 bytes of a map to 10
on the device: 0xa
`, r.Stdout)
	}
}

func TestTensorMapsNeedNVIDIAsGPUs(t *testing.T) {
	r := chost.Run(t, []string{soft}, linked(t, "tensormap.c"))
	require.Equal(t, "exit 0", r.End)
	for i, o := range outcomes(t, chost.Result{Stdout: r.Stdout, End: r.End}) {
		name := []string{"mgpuTensorMapEncodeTiled", "mgpuTensorMapEncodeTiledMemref"}[i]
		require.Equal(t, "null", o.value)
		require.Equal(t, 1, o.lines, o.text)
		require.Contains(t, o.text, "'"+name+"' failed with 'hipErrorNotSupported': the soft driver has no tensor maps")
	}
}

func TestOrderOfArgumentsAndStructsByValue(t *testing.T) {
	host := linked(t, "values.c")
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host)
		values, cases, _ := strings.Cut(r.Stdout, "the element before")
		require.Equal(t, "plain: 30\ncooperative: 30\nfloats: 1 1 11 22 33\nints: 1 1 -11 1099511627776 -33\n", values)
		r.Stdout = "the element before" + cases
		all := outcomes(t, r)
		require.Len(t, all, 10)
		for _, o := range all {
			if o.name == "the first" || o.name == "the last" {
				require.Equal(t, "value", o.value, o.name)
				require.Zero(t, o.lines, o.text)
				continue
			}
			require.Equal(t, 1, o.lines, "%s: %s", o.name, o.text)
			require.Regexp(t, stockForm, o.text)
		}
	}
}
