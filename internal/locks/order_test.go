package locks

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachClassHasOnePlace(t *testing.T) {
	seen, across := map[any]bool{}, 0
	for _, c := range order {
		require.False(t, seen[c.is], "%T", c.is)
		seen[c.is] = true
		require.NotEmpty(t, c.guards)
		across += map[driverCalls]int{acrossCalls: 1, alone: 0}[c.calls]
	}
	require.Less(t, across, len(order)/4, "few locks are held across driver calls")
	require.LessOrEqual(t, len(order), 64, "a bit each")
}
