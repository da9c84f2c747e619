package count

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyOneIsSingular(t *testing.T) {
	require.Equal(t, "0 blocks", Of(0, "block"))
	require.Equal(t, "1 block", Of(1, "block"))
	require.Equal(t, "2 blocks", Of(int32(2), "block"))
	require.Equal(t, "-1 blocks", Of(-1, "block"))
	require.Equal(t, "18446744073709551615 bytes", Of(uint64(math.MaxUint64), "byte"))
	require.Equal(t, "1 entry, 3 entries", Of(1, "entry", "entries")+", "+Of(uint8(3), "entry", "entries"))
}
