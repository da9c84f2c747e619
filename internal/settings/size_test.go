package settings

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSizesHaveUnits(t *testing.T) {
	for text, want := range map[string]uint64{"4096": 4096, "256MiB": 256 << 20, "8GiB": 8 << 30, "1.5K": 1536, "2 GB": 2e9} {
		got, ok := ParseSize(text)
		require.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "GiB", "-1", "1XB", "1e30", "99999999TiB", "1GiB2"} {
		_, ok := ParseSize(text)
		assert.False(t, ok, text)
	}
}
