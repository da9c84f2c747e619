package random

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASeedIsAProgram(t *testing.T) {
	for seed := range uint64(50) {
		a, b := New(seed, 64, 64).Kernel(), New(seed, 64, 64).Kernel()
		require.Equal(t, a, b)
		assert.LessOrEqual(t, a.Groups[0]*a.Groups[1]*a.Groups[2]*a.Items[0]*a.Items[1]*a.Items[2], uint32(mostItems))
	}
}

func TestShrinkingLeavesWhatMatters(t *testing.T) {
	tried := 0
	for seed := range uint64(30) {
		p := New(seed, 64, 64)
		before := len(p.all())
		isShuffle := func(s *Statement) bool { return s.form == shuffle && s.move == "xor" }
		fails := func(p *Program) bool {
			for _, s := range p.all() {
				if isShuffle(s) {
					return true
				}
			}
			return false
		}
		if !fails(p) {
			continue
		}
		tried++
		p.Shrink(fails)
		var left []*Statement
		for _, s := range p.all() {
			if isShuffle(s) {
				left = append(left, s)
			}
		}
		require.Len(t, left, 1, "seed %d", seed)
		assert.LessOrEqual(t, len(p.all()), 2, "seed %d: of %d, the shuffle and what it stands in", seed, before)
		assert.Equal(t, 1, strings.Count(p.Device(), "gpu.shuffle xor"))
	}
	require.Greater(t, tried, 10)
}

func TestSavedKernelsComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k.mlir")
	setting, kernel := Setting{Chip: "gfx90a", Level: 3, Lanes: 64, Inputs: 77}, New(5, 64, 64).Kernel()
	require.NoError(t, Save(path, setting, kernel))
	s, k, err := Saved(path)
	require.NoError(t, err)
	assert.Equal(t, setting, s)
	assert.Equal(t, kernel, k)
}

// TestADifferenceIsSeen changes one side of a program.
func TestADifferenceIsSeen(t *testing.T) {
	tools(t)
	k := New(1, 64, 64).Kernel()
	k.Host = strings.Replace(k.Host, "%zero64 = arith.constant 0 : i64", "%zero64 = arith.constant 4611686018427387904 : i64", 1)
	d, err := Compare(t, Setting{Chip: "gfx906", Level: 1, Lanes: 64, Inputs: 1}, []Kernel{New(2, 64, 64).Kernel(), k})
	require.NoError(t, err)
	require.Len(t, d, 1)
	assert.Equal(t, k.Name, d[0].Kernel)
	assert.ErrorContains(t, d[0].Err, "on the device and")
}
