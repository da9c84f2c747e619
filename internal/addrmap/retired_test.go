package addrmap

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAThousandRetiredKeysAreRemembered(t *testing.T) {
	var m Map[int]
	var g Retired[int]
	values := make([]int, 1025)
	for i := range values {
		m.Store(uintptr(i+1), &values[i])
	}
	again := 7
	m.Store(2, &again) // the key of what is retired second stands for something new
	for i := range 1024 {
		require.Nil(t, g.Retire(&m, uintptr(i+1), &values[i]))
	}
	require.Same(t, &values[0], m.Find(1))
	require.Same(t, &values[0], g.Retire(&m, 1025, &values[1024]), "the first is forgotten")
	require.Nil(t, m.Find(1))
	require.Same(t, &values[1], g.Retire(&m, 1, &values[0]))
	require.Same(t, &again, m.Find(2))
}
