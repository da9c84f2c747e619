package rows

import (
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

func benchStep(b *testing.B, w *wave.Wave, step encoding.Step) {
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n++ {
		step(w)
	}
}

// BenchmarkMemory times one wave's access to rows of words, to one word, and to LDS.
func BenchmarkMemory(b *testing.B) {
	mem := &samples.Memory{}
	_, base := mem.Add(64*64, true)
	for _, c := range []struct {
		name   string
		words  []uint32
		stride uint64
	}{
		{"global_load_dword row", global(b, "global_load_dword", 20, 4, 0, noSaddr, 0), 4},
		{"global_load_dword one word", global(b, "global_load_dword", 20, 4, 0, noSaddr, 0), 0},
		{"global_load_dword strided", global(b, "global_load_dword", 20, 4, 0, noSaddr, 0), 12},
		{"global_load_dword scalar base", global(b, "global_load_dword", 20, 6, 0, 10, 0), 4},
		{"global_load_dwordx4", global(b, "global_load_dwordx4", 20, 4, 0, noSaddr, 0), 16},
		{"global_store_dword row", global(b, "global_store_dword", 0, 4, 8, noSaddr, 0), 4},
		{"ds_read_b32", ds(b, "ds_read_b32", 20, 6, 0, 0, 0), 4},
		{"ds_read2_b32", ds(b, "ds_read2_b32", 20, 6, 0, 0, 0x100), 4},
		{"ds_read_b128", ds(b, "ds_read_b128", 20, 6, 0, 0, 0), 16},
		{"ds_write_b32", ds(b, "ds_write_b32", 0, 6, 8, 0, 0), 4},
		{"buffer_load_dword private", mubuf(b, "buffer_load_dword", 20, 0, 0, 128, 4, false, false, false), 0},
		{"buffer_store_dword private", mubuf(b, "buffer_store_dword", 8, 0, 0, 128, 4, false, false, false), 0},
		{"s_load_dwordx4", smem(b, "s_load_dwordx4", 16, 10, 16), 0},
		{"global_atomic_add row", flatWords(b, "global_atomic_add", encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false), 4},
		{"global_atomic_add one word", flatWords(b, "global_atomic_add", encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false), 0},
		{"global_atomic_add strided", flatWords(b, "global_atomic_add", encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false), 12},
		{"global_atomic_cmpswap row", flatWords(b, "global_atomic_cmpswap", encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false), 4},
		{"global_atomic_cmpswap one word", flatWords(b, "global_atomic_cmpswap", encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false), 0},
		{"global_atomic_add_x2 row", flatWords(b, "global_atomic_add_x2", encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false), 8},
		{"global_atomic_add_x2 one word", flatWords(b, "global_atomic_add_x2", encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false), 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := newWave()
			w.Mem, w.LDS = mem, make([]byte, 64*64)
			pointers(w, 4, base, c.stride)
			pointers(w, 6, 0, c.stride)
			w.SetS64(10, base)
			w.S[0], w.S[1] = uint32(base), uint32(base>>32)|1<<31
			w.S[2], w.S[3] = 1<<32-1, 3<<21|1<<23
			benchStep(b, w, stepOf(b, c.words))
			if w.Status != wave.Running {
				b.Fatal(w.Fault)
			}
		})
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
			benchStep(b, w, stepOf(b, c.words))
		})
	}
}
