package bind

import (
	"math"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// SMov32 computes s_mov_b32.
func SMov32(_ *wave.Wave, a uint32) uint32 { return a }

// SMov64 computes s_mov_b64.
func SMov64(_ *wave.Wave, a uint64) uint64 { return a }

// sCmov writes its result back when SCC is not set.
func SCmov32(i *encoding.Inst) encoding.Step {
	d, a := i.Dst.Reg&wave.AllScalars, bindScalar(&i.Src[0], alu.U32)
	return func(w *wave.Wave) {
		if w.SCC != 0 {
			w.S[d] = a.U32(w)
		}
	}
}

// SCmov64 computes s_cmov_b64.
func SCmov64(i *encoding.Inst) encoding.Step {
	d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U64)
	return func(w *wave.Wave) {
		if w.SCC != 0 {
			w.SetS64(d, a.u64(w))
		}
	}
}

// SNot32 computes s_not_b32.
func SNot32(w *wave.Wave, a uint32) uint32 {
	w.SetSCC(^a != 0)
	return ^a
}

// SNot64 computes s_not_b64.
func SNot64(w *wave.Wave, a uint64) uint64 {
	w.SetSCC(^a != 0)
	return ^a
}

// SAbsI32 computes s_abs_i32.
func SAbsI32(w *wave.Wave, a uint32) uint32 {
	a = alu.AbsI32(a)
	w.SetSCC(a != 0)
	return a
}

// SBrev32 computes s_brev_b32.
func SBrev32(_ *wave.Wave, a uint32) uint32 { return bits.Reverse32(a) }

// SBrev64 computes s_brev_b64.
func SBrev64(_ *wave.Wave, a uint64) uint64 { return bits.Reverse64(a) }

// SBcnt counts the ones of a; of its complement for the bcnt0 instructions.
func SBcnt(w *wave.Wave, a uint64) uint32 {
	n := uint32(bits.OnesCount64(a))
	w.SetSCC(n != 0)
	return n
}

// SBcnt132 computes s_bcnt1_i32_b32.
func SBcnt132(w *wave.Wave, a uint32) uint32 { return SBcnt(w, uint64(a)) }

// SBcnt032 computes s_bcnt0_i32_b32.
func SBcnt032(w *wave.Wave, a uint32) uint32 { return SBcnt(w, uint64(^a)) }

// SBcnt064 computes s_bcnt0_i32_b64.
func SBcnt064(w *wave.Wave, a uint64) uint32 { return SBcnt(w, ^a) }

// SFF132 computes s_ff1_i32_b32.
func SFF132(_ *wave.Wave, a uint32) uint32 { return alu.FfblB32(a) }

// SFF032 computes s_ff0_i32_b32.
func SFF032(_ *wave.Wave, a uint32) uint32 { return alu.FfblB32(^a) }

// SFF164 computes s_ff1_i32_b64.
func SFF164(_ *wave.Wave, a uint64) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.TrailingZeros64(a))
}

// SFF064 computes s_ff0_i32_b64.
func SFF064(w *wave.Wave, a uint64) uint32 { return SFF164(w, ^a) }

// SFlbit32 computes s_flbit_i32_b32.
func SFlbit32(_ *wave.Wave, a uint32) uint32 { return alu.FfbhU32(a) }

// SFlbitI32 computes s_flbit_i32.
func SFlbitI32(_ *wave.Wave, a uint32) uint32 { return alu.FfbhI32(a) }

// SFlbitI64 computes s_flbit_i32_i64.
func SFlbitI64(w *wave.Wave, a uint64) uint32 { return SFlbit64(w, a^uint64(int64(a)>>63)) }

// SSextI8 computes s_sext_i32_i8.
func SSextI8(_ *wave.Wave, a uint32) uint32 { return uint32(int8(a)) }

// SSextI16 computes s_sext_i32_i16.
func SSextI16(_ *wave.Wave, a uint32) uint32 { return uint32(int16(a)) }

// SFlbit64 computes s_flbit_i32_b64.
func SFlbit64(_ *wave.Wave, a uint64) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.LeadingZeros64(a))
}

// SBitset sets one bit of the destination, or clears it.
func SBitset(to bool, wide bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U32)
		mask := uint64(math.MaxUint64)
		at := uint32(63)
		if !wide {
			at = 31
		}
		return func(w *wave.Wave) {
			bit := uint64(1) << (a.U32(w) & at)
			v := w.S64(d)
			if to {
				v |= bit
			} else {
				v &= mask &^ bit
			}
			if wide {
				w.SetS64(d, v)
			} else {
				w.S[d&wave.AllScalars] = uint32(v)
			}
		}
	}
}

// SUnary64 computes s_wqm_b64 and s_quadmask_b64.
func SUnary64(f func(uint64) uint64) func(*wave.Wave, uint64) uint64 {
	return func(w *wave.Wave, a uint64) uint64 {
		r := f(a)
		w.SetSCC(r != 0)
		return r
	}
}

// SUnary32 computes s_wqm_b32 and s_quadmask_b32.
func SUnary32(f func(uint64) uint64) func(*wave.Wave, uint32) uint32 {
	return func(w *wave.Wave, a uint32) uint32 {
		r := uint32(f(uint64(a)))
		w.SetSCC(r != 0)
		return r
	}
}

// SBitreplicate doubles each bit.
func SBitreplicate(i *encoding.Inst) encoding.Step {
	d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U32)
	return func(w *wave.Wave) {
		var r uint64
		for x, n := a.U32(w), 0; n < 32; n++ {
			r |= uint64(x>>n&1) * 3 << (2 * n)
		}
		w.SetS64(d, r)
	}
}

// SaveExec keeps EXEC in the destination and combines it with the source; the
// first operand of f is the source. wrexec keeps the new EXEC instead.
func SaveExec(f func(a, exec uint64) uint64, keepNew bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U64)
		return func(w *wave.Wave) {
			old := w.Exec()
			now := f(a.u64(w), old)
			if keepNew {
				old = now
			}
			w.SetS64(d, old)
			w.SetExec(now)
			w.SetSCC(now != 0)
		}
	}
}
