package rocm

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/timeline"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestWorkIsTimedByEventsOfAMDsHIP times a program's work by MGPU_TRACE_GPU=events.
func TestWorkIsTimedByEventsOfAMDsHIP(t *testing.T) {
	libraries(t)
	needHIP(t)
	testdata := filepath.Join(chost.Root(), "internal", "codeobj", "testdata")
	host := mgpuHost(t, "../library/trace/hosts/timeline.c", "-pthread", `-DTESTDATA="`+testdata+`"`, `-DIMAGE="/v`+machine.version+`.hsaco"`)
	for how, want := range map[string]map[string]int{
		"lowered": {"kernel": 10},
		"streams": {"kernel": 20, "copy": 20, "fill": 10},
		"region":  {"region": 10},
	} {
		file := filepath.Join(t.TempDir(), "t.json")
		r := machine.start(t, []string{"MGPU_SOFT_CHIP=gfx906", "MGPU_DRIVER=hip", "MGPU_TRACE_GPU=events", "MGPU_TRACE=" + file}, host, how, "10")
		require.Equal(t, "exit 0", r.End, r.Stderr)
		d, err := timeline.Load(file)
		require.NoError(t, err)
		got, last := map[string]int{}, map[int]float64{}
		for _, e := range d.Events {
			switch e.Category {
			case "kernel", "copy", "fill", "region":
				if e.Phase == "X" {
					got[e.Category]++
					require.GreaterOrEqual(t, e.At, last[e.Thread], "slices of a lane do not overlap")
					last[e.Thread] = e.At + e.Took - 0.001
					if e.Category != "region" {
						require.NotEmpty(t, e.Args["call"], "the call that submitted it")
					}
				}
			}
		}
		require.Equal(t, want, got, how)
	}
}
