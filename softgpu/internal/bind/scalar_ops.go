package bind

import (
	"math"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// SccNonzero binds s_or_b32 and its like.
func SccNonzero(f func(a, b uint32) uint32) func(*wave.Wave, uint32, uint32) uint32 {
	return func(w *wave.Wave, a, b uint32) uint32 {
		r := f(a, b)
		w.SetSCC(r != 0)
		return r
	}
}

// SccNonzero64 binds s_or_b64 and its like.
func SccNonzero64(f func(a, b uint64) uint64) func(*wave.Wave, uint64, uint64) uint64 {
	return func(w *wave.Wave, a, b uint64) uint64 {
		r := f(a, b)
		w.SetSCC(r != 0)
		return r
	}
}

// SAddU32 computes s_add_u32.
func SAddU32(w *wave.Wave, a, b uint32) uint32 {
	r, c := bits.Add32(a, b, 0)
	w.SCC = c
	return r
}

// SAddcU32 computes s_addc_u32.
func SAddcU32(w *wave.Wave, a, b uint32) uint32 {
	r, c := bits.Add32(a, b, w.SCC)
	w.SCC = c
	return r
}

// SSubU32 computes s_sub_u32.
func SSubU32(w *wave.Wave, a, b uint32) uint32 {
	r, c := bits.Sub32(a, b, 0)
	w.SCC = c
	return r
}

// SSubbU32 computes s_subb_u32.
func SSubbU32(w *wave.Wave, a, b uint32) uint32 {
	r, c := bits.Sub32(a, b, w.SCC)
	w.SCC = c
	return r
}

// SAddI32 computes s_add_i32 and s_addk_i32.
func SAddI32(w *wave.Wave, a, b uint32) uint32 {
	r := a + b
	w.SCC = (a ^ r) & (b ^ r) >> 31
	return r
}

// SSubI32 computes s_sub_i32.
func SSubI32(w *wave.Wave, a, b uint32) uint32 {
	r := a - b
	w.SCC = (a ^ b) & (a ^ r) >> 31
	return r
}

// SMinI32 computes s_min_i32.
func SMinI32(w *wave.Wave, a, b uint32) uint32 {
	w.SetSCC(int32(a) < int32(b))
	return uint32(min(int32(a), int32(b)))
}

// SMaxI32 computes s_max_i32.
func SMaxI32(w *wave.Wave, a, b uint32) uint32 {
	w.SetSCC(int32(a) > int32(b))
	return uint32(max(int32(a), int32(b)))
}

// SMinU32 computes s_min_u32.
func SMinU32(w *wave.Wave, a, b uint32) uint32 {
	w.SetSCC(a < b)
	return min(a, b)
}

// SMaxU32 computes s_max_u32.
func SMaxU32(w *wave.Wave, a, b uint32) uint32 {
	w.SetSCC(a > b)
	return max(a, b)
}

// SCselect32 computes s_cselect_b32.
func SCselect32(w *wave.Wave, a, b uint32) uint32 {
	if w.SCC != 0 {
		return a
	}
	return b
}

// SCselect64 computes s_cselect_b64.
func SCselect64(w *wave.Wave, a, b uint64) uint64 {
	if w.SCC != 0 {
		return a
	}
	return b
}

// BfmS32 computes s_bfm_b32.
func BfmS32(_ *wave.Wave, a, b uint32) uint32 { return alu.BfmB32(a, b) }

// BfmS64 computes s_bfm_b64.
func BfmS64(_ *wave.Wave, a, b uint64) uint64 { return (1<<(a&63) - 1) << (b & 63) }

// SMulI32 computes s_mul_i32.
func SMulI32(_ *wave.Wave, a, b uint32) uint32 { return a * b }

// SMulHiU32 computes s_mul_hi_u32.
func SMulHiU32(_ *wave.Wave, a, b uint32) uint32 {
	return uint32(uint64(a) * uint64(b) >> 32)
}

// SMulHiI32 computes s_mul_hi_i32.
func SMulHiI32(_ *wave.Wave, a, b uint32) uint32 {
	return uint32(int64(int32(a)) * int64(int32(b)) >> 32)
}

// SLshlAdd shifts by n and adds; SCC reports whether the sum needs more than 32 bits.
func SLshlAdd(n uint) func(w *wave.Wave, a, b uint32) uint32 {
	return func(w *wave.Wave, a, b uint32) uint32 {
		s := uint64(a)<<n + uint64(b)
		w.SetSCC(s > math.MaxUint32)
		return uint32(s)
	}
}

// SPackLL computes s_pack_ll_b32_b16.
func SPackLL(_ *wave.Wave, a, b uint32) uint32 { return a&0xffff | b<<16 }

// SPackLH computes s_pack_lh_b32_b16.
func SPackLH(_ *wave.Wave, a, b uint32) uint32 { return a&0xffff | b&^0xffff }

// SPackHH computes s_pack_hh_b32_b16.
func SPackHH(_ *wave.Wave, a, b uint32) uint32 { return a>>16 | b&^0xffff }
