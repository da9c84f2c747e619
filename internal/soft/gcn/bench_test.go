package gcn

import (
	"math/rand/v2"
	"testing"
)

func benchStep(b *testing.B, w *Wave, step Step) {
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n++ {
		step(w)
	}
}

// BenchmarkRows times one wave instruction of the rows that compiled code has most of.
func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name  string
		words []uint32
	}{
		{"s_add_u32", short(b, "s_add_u32", s(0), s(1), s(2))},
		{"s_mov_b64", short(b, "s_mov_b64", s(0), s(2))},
		{"s_cmp_lt_i32", short(b, "s_cmp_lt_i32", 0, s(1), s(2))},
		{"s_cbranch_scc1", short(b, "s_cbranch_scc1", 0, 0)},
		{"v_mov_b32", short(b, "v_mov_b32", v(0), v(1))},
		{"v_mov_b32 s", short(b, "v_mov_b32", v(0), s(1))},
		{"v_add_u32", short(b, "v_add_u32", v(0), v(1), v(2))},
		{"v_add_u32 s", short(b, "v_add_u32", v(0), s(1), v(2))},
		{"v_add_u32 const", short(b, "v_add_u32", v(0), 129, v(2))},
		{"v_add_co_u32", short(b, "v_add_co_u32", v(0), v(1), v(2))},
		{"v_addc_co_u32", short(b, "v_addc_co_u32", v(0), v(1), v(2))},
		{"v_lshlrev_b32", short(b, "v_lshlrev_b32", v(0), 130, v(2))},
		{"v_lshlrev_b64", short(b, "v_lshlrev_b64", v(0), 130, v(2))},
		{"v_lshl_add_u32", short(b, "v_lshl_add_u32", v(0), v(1), 130, v(2))},
		{"v_and_b32", short(b, "v_and_b32", v(0), v(1), v(2))},
		{"v_cndmask_b32", short(b, "v_cndmask_b32", v(0), v(1), v(2))},
		{"v_cmp_lt_u32", short(b, "v_cmp_lt_u32", 0, v(1), v(2))},
		{"v_cmp_gt_i32", short(b, "v_cmp_gt_i32", 0, v(1), v(2))},
		{"v_cmp_lt_f32", short(b, "v_cmp_lt_f32", 0, v(1), v(2))},
		{"v_add_f32", short(b, "v_add_f32", v(0), v(1), v(2))},
		{"v_mul_f32", short(b, "v_mul_f32", v(0), v(1), v(2))},
		{"v_max_f32", short(b, "v_max_f32", v(0), v(1), v(2))},
		{"v_fma_f32", short(b, "v_fma_f32", v(0), v(1), v(2), v(3))},
		{"v_fmac_f32", short(b, "v_fmac_f32", v(0), v(1), v(2))},
		{"v_mul_lo_u32", short(b, "v_mul_lo_u32", v(0), v(1), v(2))},
		{"v_mad_u64_u32", short(b, "v_mad_u64_u32", v(0), v(2), v(3), v(4))},
		{"v_fma_f64", short(b, "v_fma_f64", v(0), v(2), v(4), v(6))},
		{"v_add_f64", short(b, "v_add_f64", v(0), v(2), v(4))},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := randomWave(r)
			for n := 1; n < 8; n++ {
				for l := range w.V[n] {
					w.V[n][l] = w.V[n][l]&0x007fffff | 0x3f800000
				}
			}
			benchStep(b, w, bind(b, c.words))
		})
	}
}
