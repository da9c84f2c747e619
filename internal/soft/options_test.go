package soft

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSenselessOptionsAreErrors(t *testing.T) {
	for want, o := range map[string]Options{
		"2000000000 devices": {Devices: 2_000_000_000},
		"65 devices":         {Devices: 65},
		"gfx1":               {Chip: "gfx1"},
		`"xnack" of chip`:    {Chip: "gfx90a:xnack"},
		`"sramecc+" of chip`: {Chip: "gfx900:sramecc+"},
		`"" of chip`:         {Chip: "gfx906:"},
	} {
		_, err := Open(o)
		require.ErrorContains(t, err, want)
	}
	d, err := Open(Options{Devices: 64})
	require.NoError(t, err)
	require.Equal(t, 64, d.DeviceCount())
}
