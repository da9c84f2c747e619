package hsa

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTargetsThatAreNotKnownAreRefused(t *testing.T) {
	for _, o := range []Options{{Chip: "gfx1010"}, {Chip: "gfx1100:xnack+"}, {Chip: "gfx906:xnak+"}, {Chip: "gfx906:xnack"}, {Devices: 64}} {
		_, err := Open(o)
		require.Error(t, err, "%+v", o)
	}
}
