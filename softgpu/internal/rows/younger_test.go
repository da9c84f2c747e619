package rows

import (
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHalvesOfPackedSinglesReadBeforeTheyWrite has sources in the destination.
func TestHalvesOfPackedSinglesReadBeforeTheyWrite(t *testing.T) {
	run := func(t *testing.T, text string, code ...uint32) *wave.Wave {
		i := mustDecode(t, encoding.Gfx90a, code...)
		require.Equal(t, text, i.String())
		w := newWave()
		w.V[4].Fill(math.Float32bits(2))
		w.V[5].Fill(math.Float32bits(3))
		w.V[8].Fill(math.Float32bits(10))
		w.V[9].Fill(math.Float32bits(100))
		i.Row.Do(&i)(w)
		return w
	}
	w := run(t, "v_pk_fma_f32 v[4:5], v[4:5], v[8:9], v[4:5] op_sel:[1,0,1] op_sel_hi:[0,1,0]", 0xd3b02804, 0x14121104)
	assert.Equal(t, math.Float32bits(3*10+3), w.V[4][7])
	assert.Equal(t, math.Float32bits(2*100+2), w.V[5][7])
	w = run(t, "v_pk_mov_b32 v[4:5], v[4:5], v[8:9] op_sel:[1,0]", 0xd3b34804, 0x18021104)
	assert.Equal(t, math.Float32bits(3), w.V[4][7])
	assert.Equal(t, math.Float32bits(10), w.V[5][7])
}

// TestAccumulatorMoves goes to the accumulators, along them and back.
func TestAccumulatorMoves(t *testing.T) {
	w := newWave()
	w.A = make([]alu.Lanes, 8)
	for l := range w.V[4] {
		w.V[4][l] = uint32(l * l)
	}
	w.SetExec(0xff00ff00ff00ff00)
	for _, c := range []struct {
		text string
		code []uint32
	}{
		{"v_accvgpr_write_b32 a3, v4", []uint32{0xd3d94003, 0x18000104}},
		{"v_accvgpr_mov_b32 a5, a3", []uint32{0x7e0aa503}},
		{"v_accvgpr_read_b32 v20, a5", []uint32{0xd3d84014, 0x18000105}},
	} {
		i := mustDecode(t, encoding.Gfx90a, c.code...)
		require.Equal(t, c.text, i.String())
		i.Row.Do(&i)(w)
	}
	for l := range w.V[20] {
		want := uint32(0)
		if l/8%2 == 1 {
			want = uint32(l * l)
		}
		require.Equal(t, want, w.V[20][l], "lane %d", l)
	}
}

// TestRowBroadcasts reads the lane of each row that the control names.
func TestRowBroadcasts(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l] = uint32(l)
		x := math.Float64bits(float64(l) + 0.5)
		w.V[8][l], w.V[9][l] = uint32(x), uint32(x>>32)
	}
	i := mustDecode(t, encoding.Gfx90a, 0x7e2802fa, 0xff015504)
	require.Equal(t, "v_mov_b32_dpp v20, v4 row_newbcast:5 row_mask:0xf bank_mask:0xf", i.String())
	i.Row.Do(&i)(w)
	for l := range w.V[20] {
		require.Equal(t, uint32(l&^15+5), w.V[20][l])
	}
	i = mustDecode(t, encoding.Gfx90a, 0x7e2830fa, 0xff015308)
	require.Equal(t, "v_ceil_f64_dpp v[20:21], v[8:9] row_newbcast:3 row_mask:0xf bank_mask:0xf", i.String())
	i.Row.Do(&i)(w)
	for l := range w.V[20] {
		require.Equal(t, float64(l&^15+3)+1, f64of(alu.Join(w.V[20][l], w.V[21][l])))
	}
}

// TestStochasticRoundingHitsBothNeighbours checks that the average over the
// random numbers is the number itself, and that 0 never rounds up.
func TestStochasticRoundingHitsBothNeighbours(t *testing.T) {
	for _, f := range []*alu.SmallFormat{&alu.FnuzE4M3, &alu.FnuzE5M2, &alu.OcpE4M3, &alu.OcpE5M2, &alu.Bfloat16, &alu.SmallF16} {
		for _, x := range []float32{1.03125, -3.3, 0.0021, 100.5} {
			sum, n := 0.0, 4096
			for k := range n {
				sum += f.Value(f.Round(float64(x), alu.SmallRounding{Stochastic: true, Random: uint32(k)<<20 + 1<<19}))
			}
			down := f.Value(f.Round(float64(x), alu.SmallRounding{Stochastic: true}))
			assert.InEpsilon(t, x, sum/float64(n), 1e-3, "%v", x)
			assert.LessOrEqual(t, math.Abs(float64(down)), math.Abs(float64(x)))
		}
	}
}
