package settings

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLimitsAreSizesOrShares(t *testing.T) {
	for text, want := range map[string]struct {
		bytes uint64
		share float64
	}{
		"50%": {0, .5}, "100%": {0, 1}, "0%": {0, 0}, "4GiB": {4 << 30, 0}, "4 GiB": {4 << 30, 0}, "1.5K": {1536, 0}, "12": {12, 0},
		"2GB": {2e9, 0},
	} {
		bytes, share, err := ParseLimit(text)
		require.NoError(t, err, text)
		assert.Equal(t, want.bytes, bytes, text)
		assert.Equal(t, want.share, share, text)
	}
	for _, text := range []string{"", "x", "-1", "101%", "4Gi", "%", "99999999999999TiB", "4GiB more"} {
		_, _, err := ParseLimit(text)
		assert.Error(t, err, text)
	}
}

func FuzzLimits(f *testing.F) {
	for _, text := range []string{"", "4GiB", "50%", "1.5K", "..", "9e9%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bytes, share, err := ParseLimit(text)
		if err == nil {
			assert.True(t, share >= 0 && share <= 1 && bytes <= 1<<62, text)
		}
	})
}

func TestValuesThatAreNoChoiceAreChecked(t *testing.T) {
	for name, values := range map[string]struct{ right, wrong []string }{
		"MGPU_DEVICE":       {[]string{"0", "12", "rank"}, []string{"-1", "x", "1.5"}},
		"MGPU_MEM_LIMIT":    {[]string{"0", "50%", "4GiB"}, []string{"101%", "-1", "much"}},
		"MGPU_TRACE_LIMIT":  {[]string{"1GiB", "last:64MiB"}, []string{"last:", "x", "first:1GiB"}},
		"MGPU_SOFT_DEVICES": {[]string{"1", "64"}, []string{"0", "65", "-1", "two"}},
		"MGPU_SOFT_MEMORY":  {[]string{"8GiB"}, []string{"plenty", "50%"}},
		"MGPU_SOFT_TIMEOUT": {[]string{"10", "0.5", "1m30s"}, []string{"-1s", "soon", "1e300", "nan"}},
		"MGPU_STATS":        {[]string{"1", "any file"}, nil},
	} {
		for _, value := range values.right {
			assert.True(t, Find(name).Accepts(value), "%s=%s", name, value)
		}
		for _, value := range values.wrong {
			assert.False(t, Find(name).Accepts(value), "%s=%s", name, value)
		}
	}
	assert.Equal(t, []string{"MGPU_TRACE_LIMIT=x: it is bytes, 1GiB; last:64MiB keeps the newest"}, Problems([]string{"MGPU_TRACE_LIMIT=x", "MGPU_SOFT_DEVICES=0"}))
}
