package gcn

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutMeaning are instructions that compilers emit and that stay without meaning here.
var withoutMeaning = map[string]string{
	"image_sample_lz": "images are not simulated",
}

func TestEmittedInstructionsHaveAMeaning(t *testing.T) {
	text, err := os.ReadFile("testdata/emitted.txt")
	require.NoError(t, err)
	stages := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		require.Len(t, f, 3)
		row, _ := rowNamed(t, f[2])
		stages[f[0]]++
		if why, ok := withoutMeaning[f[2]]; ok {
			require.Nil(t, row.Do, "%s has a meaning, although %s", f[2], why)
			continue
		}
		require.NotNil(t, row.Do, "stage %s: %s has no meaning", f[0], f[2])
	}
	require.Equal(t, map[string]int{"A": 174, "B": 348, "C": 140}, stages)
}

func TestFormsWithoutMeaningAreNotExecutable(t *testing.T) {
	for _, c := range []struct {
		name  string
		words []uint32
	}{
		{"an image", []uint32{0xf0800f00, 0x00020000}},
		{"buffer load into LDS", []uint32{0xe0510000, 0x80000000}},
		{"DS swizzle with a pattern that is none", []uint32{0xd87ae000, 0x00000000}},
		{"a clamped sum of differences", with(long(t, "v_sad_u8", v(20), v(4), v(8), v(12)), clampBit, 0)},
		{"a source in LDS", short(t, "v_mov_b32", v(20), 254)},
	} {
		i := inst(t, c.words)
		require.False(t, Executable(i), "%s: %s", c.name, i.Row.Name)
	}
	require.False(t, Executable(&Inst{}))
}
