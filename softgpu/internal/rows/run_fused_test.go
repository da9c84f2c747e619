package rows

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// TestRunsOfTwoInstructionsInOneOpDoWhatTheirStepsDo compares pairs that a run executes as one op, and pairs that look alike
// and must stay two, with their instructions one by one.
func TestRunsOfTwoInstructionsInOneOpDoWhatTheirStepsDo(t *testing.T) {
	needRuns(t)
	type coded struct {
		text  string
		words []uint32
	}
	var (
		low       = coded{"v_add_co_u32 v5, vcc_lo, s2, v0", []uint32{0xd7006a05, 0x00020002}}
		high      = coded{"v_add_co_ci_u32_e64 v6, null, s3, v1, vcc_lo", []uint32{0xd5207c06, 0x01aa0203}}
		lowOver   = coded{"v_add_co_u32 v1, vcc_lo, s2, v0", []uint32{0xd7006a01, 0x00020002}}
		highOver  = coded{"v_add_co_ci_u32_e64 v2, null, s3, v1, vcc_lo", []uint32{0xd5207c02, 0x01aa0203}}
		lowTo3    = coded{"v_add_co_u32 v5, s3, s2, v0", []uint32{0xd7000305, 0x00020002}}
		highOf3   = coded{"v_add_co_ci_u32_e64 v6, null, s3, v1, s3", []uint32{0xd5207c06, 0x000e0203}}
		lowTo4    = coded{"v_add_co_u32 v5, s4, s2, v0", []uint32{0xd7000405, 0x00020002}}
		highOf4   = coded{"v_add_co_ci_u32_e64 v6, null, s3, v1, s4", []uint32{0xd5207c06, 0x00120203}}
		highTo5   = coded{"v_add_co_ci_u32_e64 v6, s5, s3, v1, s4", []uint32{0xd5200506, 0x00120203}}
		lowV      = coded{"v_add_co_u32 v5, vcc_lo, v2, v0", []uint32{0xd7006a05, 0x00020102}}
		highV     = coded{"v_add_co_ci_u32_e64 v6, null, v3, v1, vcc_lo", []uint32{0xd5207c06, 0x01aa0303}}
		lowIn     = coded{"v_add_co_u32 v2, vcc_lo, v2, v0", []uint32{0xd7006a02, 0x00020102}}
		highIn    = coded{"v_add_co_ci_u32_e64 v3, null, v3, v1, vcc_lo", []uint32{0xd5207c03, 0x01aa0303}}
		lowVOver  = coded{"v_add_co_u32 v1, vcc_lo, v0, v2", []uint32{0xd7006a01, 0x00020500}}
		highVOver = coded{"v_add_co_ci_u32_e64 v2, null, v1, v3, vcc_lo", []uint32{0xd5207c02, 0x01aa0701}}
		highV4    = coded{"v_add_co_ci_u32_e64 v6, null, v4, v1, vcc_lo", []uint32{0xd5207c06, 0x01aa0304}}
		fmac      = coded{"v_fmac_f32_e32 v6, v1, v2", []uint32{0x560c0501}}
		fmacNext  = coded{"v_fmac_f32_e32 v6, v3, v4", []uint32{0x560c0903}}
		fmacA     = coded{"v_fmac_f32_e32 v6, v6, v4", []uint32{0x560c0906}}
		fmacB     = coded{"v_fmac_f32_e32 v6, v4, v6", []uint32{0x560c0d04}}
		fmacOther = coded{"v_fmac_f32_e32 v5, v3, v4", []uint32{0x560a0903}}
		fma       = coded{"v_fma_f32 v6, v1, v2, v3", []uint32{0xd6130006, 0x040e0501}}
		fmaNext   = coded{"v_fma_f32 v6, v4, v5, v6", []uint32{0xd6130006, 0x041a0b04}}
		fmaA      = coded{"v_fma_f32 v6, v6, v1, v2", []uint32{0xd6130006, 0x040a0306}}
	)
	r := rand.New(rand.NewPCG(5, 5))
	w := randomWave(r)
	for _, c := range []struct {
		first, second coded
		one           bool
	}{
		{low, high, true}, {lowOver, highOver, true}, {lowTo4, highOf4, true},
		{lowV, highV, true}, {lowIn, highIn, true}, {lowVOver, highVOver, true},
		{fmac, fmacNext, true}, {fma, fmacNext, true}, {fmacA, fmaNext, true}, {fmaA, fmaNext, true},
		{lowTo3, highOf3, false}, {lowTo4, highTo5, false}, {low, highOver, false}, {lowV, highV4, false},
		{low, highOf4, false}, {lowV, high, false}, {low, highV, false},
		{fmac, fmacA, false}, {fmac, fmacB, false}, {fmac, fmacOther, false}, {fmacOther, fmacNext, false}, {fmac, fmaA, false},
	} {
		for _, chip := range []encoding.Chip{encoding.Gfx1100, encoding.Gfx1100.Wave32()} {
			run := bind.Run{Start: 1 << 30} // no branch goes there
			var steps []encoding.Step
			for n, in := range []coded{c.first, c.second} {
				i := instOf(t, chip, in.words)
				if chip.IsWave32() {
					require.Equal(t, in.text, i.String())
				}
				step, part := BindPart(i)
				require.NotNil(t, part, in.text)
				run.Add(part, uint32(n+1))
				steps = append(steps, step)
			}
			whole := run.Step()
			ops := 0
			for _, op := range run.Whole.Ops {
				if op.Code != alu.Code(alu.OpEnd) {
					ops++
				}
			}
			require.Equal(t, c.one, ops == 1, "%s: `%s` and `%s` are %d ops", chipName(chip), c.first.text, c.second.text, ops)
			for range 300 {
				a, b := twins(r, w, chip)
				_, stopped := outcome(a, steps...)
				_, alsoStopped := outcome(b, whole)
				require.Equal(t, stopped, alsoStopped)
				if stopped {
					continue
				}
				require.Equal(t, a.S[:wave.NamedScalars], b.S[:wave.NamedScalars], "%s, %s", c.first.text, c.second.text)
				for v := range a.V {
					require.True(t, slices.Equal(a.V[v][:a.Lanes()], b.V[v][:a.Lanes()]), "%s: v%d of `%s` and `%s`", chipName(chip), v, c.first.text, c.second.text)
				}
			}
		}
	}
}
