package softgpu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSenselessOptionsAreErrors(t *testing.T) {
	for want, o := range map[string]Options{
		"2000000000 devices": {Devices: 2_000_000_000},
		"65 devices":         {Devices: 65},
		"MGPU_SOFT_CHIP=gfx1: no such chip; there are gfx900, gfx906, gfx908, gfx90a, gfx942, gfx950":                 {Chip: "gfx1"},
		`MGPU_SOFT_CHIP=gfx90a:xnack: unknown feature "xnack"; gfx90a has sramecc and xnack, each followed by + or -`: {Chip: "gfx90a:xnack"},
		`MGPU_SOFT_CHIP=gfx900:sramecc+: unknown feature "sramecc+"; gfx900 has xnack, each followed by + or -`:       {Chip: "gfx900:sramecc+"},
		`MGPU_SOFT_CHIP=gfx906:: unknown feature ""`:                                                                  {Chip: "gfx906:"},
		`MGPU_CHECK=meory: "meory" is not one of memory, strict`:                                                      {Check: "meory"},
	} {
		_, err := Open(o)
		require.ErrorContains(t, err, want)
	}
	d, err := Open(Options{Devices: 64})
	require.NoError(t, err)
	require.Equal(t, 64, d.DeviceCount())
}
