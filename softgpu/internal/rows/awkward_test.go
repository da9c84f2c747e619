package rows

import (
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/require"
)

// TestAwkwardLanes has inputs whose results are easily got wrong, one lane each.
func TestAwkwardLanes(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, b, c uint32
		want    uint32
	}{
		// The upper half of a result on halves is 0, whatever the operands had there.
		{"v_max_f16", 0xabcd3c00, 0x12340000, 0, 0x3c00},
		{"v_min_f16", 0xabcd3c00, 0x1234bc00, 0, 0xbc00},
		// A signalling NaN comes out quiet, a quiet one gives way.
		{"v_max_f32", 0x7f800001, 0x3f800000, 0, 0x7fc00001},
		{"v_max_f32", 0x7fc00001, 0x3f800000, 0, 0x3f800000},
		{"v_min_f32", 0x00000000, 0x80000000, 0, 0x80000000},
		// One rounding: the float64 sum lies on a tie of the float32 grid.
		{"v_fma_f32", 0x3f800001, 0x3f800001, 0x33800000, 0x3f800003},
		{"v_fma_f32", 0x00800000, 0x3f000000, 0x00000001, 0x00400001},
		{"v_fma_f32", 0x3f800000, 0xbf800000, 0x3f800000, 0x00000000},
		// Ties go to even, the sign of zero stays.
		{"v_rndne_f32", 0x40200000, 0, 0, 0x40000000},
		{"v_rndne_f32", 0xbf000000, 0, 0, 0x80000000},
		{"v_ceil_f32", 0xbf000000, 0, 0, 0x80000000},
		{"v_trunc_f32", 0xbf7fffff, 0, 0, 0x80000000},
		{"v_fract_f32", 0xb3000000, 0, 0, 0x3f7fffff},
		// Conversions saturate; NaN is 0.
		{"v_cvt_i32_f32", 0x4f000000, 0, 0, 0x7fffffff},
		{"v_cvt_i32_f32", 0xff800000, 0, 0, 0x80000000},
		{"v_cvt_u32_f32", 0xbf800000, 0, 0, 0},
		{"v_cvt_i32_f32", 0x7fc00000, 0, 0, 0},
		// Denormals are numbers.
		{"v_add_f32", 0x00000001, 0x00000001, 0, 0x00000002},
		{"v_rcp_f32", 0x7e800000, 0, 0, 0x00800000},
		{"v_rcp_f32", 0x7f000000, 0, 0, 0x00400000},
		{"v_exp_f32", 0xc3150000, 0, 0, 0x00000001},
		{"v_ldexp_f32", 0x3f800000, 0xffffff6b, 0, 0x00000001},
		{"v_ldexp_f32", 0x7f7fffff, 0x80000000, 0, 0},
		// Divisions of the ends of the range.
		{"v_div_fixup_f32", 0x3f800000, 0x00000000, 0x00000000, 0xffc00000},
		{"v_div_fixup_f32", 0x3f800000, 0x80000000, 0x3f800000, 0xff800000},
		// Shifts count modulo 32, fields of no width are 0.
		{"v_lshlrev_b32", 33, 1, 0, 2},
		{"v_bfe_i32", 0xffffffff, 4, 0, 0},
		{"v_bfe_u32", 0xffffffff, 28, 8, 0xf},
		{"v_alignbit_b32", 1, 0, 0, 0},
		{"v_ffbh_u32", 0, 0, 0, 0xffffffff},
		{"v_ffbh_i32", 0xffffffff, 0, 0, 0xffffffff},
		{"v_med3_i32", 0x80000000, 0x7fffffff, 0xffffffff, 0xffffffff},
		{"v_mul_hi_i32", 0x80000000, 0x80000000, 0, 0x40000000},
		{"v_mad_i32_i24", 0x00800000, 2, 1, 0xff000001},
		{"v_sad_u32", 1, 3, 0xffffffff, 1},
		{"v_perm_b32", 0x80112233, 0x44556677, 0x0c0d0b07, 0x00ffff80},
	} {
		for _, encode := range []func(testing.TB, string, uint32, ...uint32) []uint32{long, short} {
			w := newWave()
			w.V[4].Fill(c.a)
			w.V[8].Fill(c.b)
			w.V[12].Fill(c.c)
			w.V[20].Fill(0xdeadbeef)
			w.SetExec(1 << 17)
			row, _ := rowNamed(t, c.name)
			var src []uint32
			for n, slot := range row.Form.Src {
				if slot.Class != encoding.NoSlot {
					src = append(src, v(4+4*n))
				}
			}
			stepOf(t, encode(t, c.name, v(20), src...))(w)
			require.Equal(t, c.want, w.V[20][17], "%+v: %#x", c, w.V[20][17])
			require.Equal(t, uint32(0xdeadbeef), w.V[20][16], "%+v", c)
		}
	}
}

// TestHalves converts all halves, and the numbers around those and between two.
func TestHalves(t *testing.T) {
	for h := range uint64(1 << 16) {
		x := refHalf(h)
		got := alu.HalfTo32(uint16(h))
		if x != x {
			require.True(t, got != got, "%#x", h)
			require.NotZero(t, math.Float32bits(got)&alu.Quiet32, "%#x", h)
			continue
		}
		require.Equal(t, b32(x), uint64(math.Float32bits(got)), "%#x", h)
		next := refHalf(h + 1)
		if !finite(x, next) {
			next = math.Copysign(65536, x)
		}
		for _, y := range []float64{x, (x + next) / 2} {
			for _, z := range []float64{math.Nextafter(y, -1e9), y, math.Nextafter(y, 1e9)} {
				require.Equal(t, refToHalf(z), uint64(alu.HalfFrom64(z)), "%v", z)
			}
		}
	}
}
