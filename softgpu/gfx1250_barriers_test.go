package softgpu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func barriersImage(t *testing.T) []byte {
	t.Helper()
	return compile(t, []string{"-x", "ir", "testdata/gfx1250_barriers.ll", "-mcpu=gfx1250", "-O2", "-mcode-object-version=6", "-w"})
}

// TestPairsOfWavesMeetAtBarriersWithNumbers waits by another number than the barrier's, as LLVM does: a wave waits for
// the one that it has joined.
func TestPairsOfWavesMeetAtBarriersWithNumbers(t *testing.T) {
	for _, o := range []Options{{}, {Check: "all,race,sync"}, {Schedule: 3}} {
		said := &reports{}
		o.Chip, o.Reports = "gfx1250", said
		d := open(t, o)
		p, pv := buffer[uint32](t, d, 2*128)
		require.NoError(t, run(t, d, barriersImage(t), "pairs", d1(1), d1(128), p))
		var v [128]uint32
		for l := range v {
			v[l] = uint32(l)
		}
		for range 3 {
			before := v
			for l := range v {
				v[l] = 3*before[l] + before[l^63]
			}
		}
		require.Equal(t, v[:], pv[:128])
		require.NoError(t, run(t, d, barriersImage(t), "oneway", d1(1), d1(64), p))
		for l := range uint32(32) {
			require.Equal(t, (l+32)*(l+32), pv[l])
		}
		require.Equal(t, uint32(1|1<<4), pv[32], "one signal is expected, none has come since")
		require.Empty(t, said.String())
	}
}

func TestBarriersThatNobodyCompletesEndTheKernel(t *testing.T) {
	for kernel, want := range map[string]string{
		"stuck":   "all waves of the workgroup wait at barriers, in `s_barrier_wait 1`",
		"unknown": "barrier 2 is signaled, but was not initialized, in `s_barrier_signal m0`",
	} {
		d := open(t, Options{Chip: "gfx1250"})
		p, _ := buffer[uint32](t, d, 64)
		require.ErrorContains(t, run(t, d, barriersImage(t), kernel, d1(1), d1(64), p), want)
	}
}
