package rows

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEmittedInstructionsHaveAMeaning: every instruction that compilers emit
// executes, on each chip that they emit it for.
func TestEmittedInstructionsHaveAMeaning(t *testing.T) {
	stages := map[string]int{}
	for _, e := range readEmitted(t) {
		stages[e.stage]++
	}
	for stage, least := range map[string]int{"A": 174, "B": 348, "C": 140, "gfx90a": 25, "gfx942": 52, "gfx950": 56, "gfx1030": 430, "gfx1100": 450, "gfx1200": 460, "gfx1250": 470} {
		require.GreaterOrEqual(t, stages[stage], least, stage)
	}
	for _, chip := range goldenChips {
		runs := map[string]bool{}
		for row := range executing(t, chip) {
			runs[row.Name] = true
		}
		for name := range listed(t, chip) {
			assert.True(t, runs[name], "%v: %s does not execute", chip, name)
		}
	}
}

func TestFormsWithoutMeaningAreNotExecutable(t *testing.T) {
	for _, c := range []struct {
		name  string
		words []uint32
	}{
		{"an image of halves", []uint32{0xf0800f00, 0x80020000}},
		{"DS swizzle with a pattern that is none", []uint32{0xd87ae000, 0x00000000}},
		{"a clamped sum of differences", with(long(t, "v_sad_u8", v(20), v(4), v(8), v(12)), clampBit, 0)},
		{"a source in LDS", short(t, "v_mov_b32", v(20), 254)},
	} {
		i := inst(t, c.words)
		require.False(t, Executable(i), "%s: %s", c.name, i.Row.Name)
	}
	require.False(t, Executable(&encoding.Inst{}))
}
