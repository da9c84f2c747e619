package gcn

import (
	"math"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

func sMov32(_ *Wave, a uint32) uint32 { return a }
func sMov64(_ *Wave, a uint64) uint64 { return a }

// sCmov writes its result back when SCC is not set.
func sCmov32(i *Inst) Step {
	d, a := i.Dst.Reg&allScalars, bindScalar(&i.Src[0], alu.U32)
	return func(w *Wave) {
		if w.SCC != 0 {
			w.S[d] = a.u32(w)
		}
	}
}

func sCmov64(i *Inst) Step {
	d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U64)
	return func(w *Wave) {
		if w.SCC != 0 {
			w.setS64(d, a.u64(w))
		}
	}
}

func sNot32(w *Wave, a uint32) uint32 {
	w.setSCC(^a != 0)
	return ^a
}

func sNot64(w *Wave, a uint64) uint64 {
	w.setSCC(^a != 0)
	return ^a
}

func sAbsI32(w *Wave, a uint32) uint32 {
	a = alu.AbsI32(a)
	w.setSCC(a != 0)
	return a
}

func sBrev32(_ *Wave, a uint32) uint32 { return bits.Reverse32(a) }
func sBrev64(_ *Wave, a uint64) uint64 { return bits.Reverse64(a) }

// sBcnt counts the ones of a; of its complement for the bcnt0 instructions.
func sBcnt(w *Wave, a uint64) uint32 {
	n := uint32(bits.OnesCount64(a))
	w.setSCC(n != 0)
	return n
}

func sBcnt132(w *Wave, a uint32) uint32 { return sBcnt(w, uint64(a)) }
func sBcnt032(w *Wave, a uint32) uint32 { return sBcnt(w, uint64(^a)) }
func sBcnt064(w *Wave, a uint64) uint32 { return sBcnt(w, ^a) }

func sFF132(_ *Wave, a uint32) uint32 { return alu.FfblB32(a) }
func sFF032(_ *Wave, a uint32) uint32 { return alu.FfblB32(^a) }
func sFF164(_ *Wave, a uint64) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.TrailingZeros64(a))
}
func sFF064(w *Wave, a uint64) uint32    { return sFF164(w, ^a) }
func sFlbit32(_ *Wave, a uint32) uint32  { return alu.FfbhU32(a) }
func sFlbitI32(_ *Wave, a uint32) uint32 { return alu.FfbhI32(a) }
func sFlbitI64(w *Wave, a uint64) uint32 { return sFlbit64(w, a^uint64(int64(a)>>63)) }
func sSextI8(_ *Wave, a uint32) uint32   { return uint32(int8(a)) }
func sSextI16(_ *Wave, a uint32) uint32  { return uint32(int16(a)) }
func sFlbit64(_ *Wave, a uint64) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.LeadingZeros64(a))
}

// sBitset sets one bit of the destination, or clears it.
func sBitset(to bool, wide bool) Meaning {
	return func(i *Inst) Step {
		d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U32)
		mask := uint64(math.MaxUint64)
		at := uint32(63)
		if !wide {
			at = 31
		}
		return func(w *Wave) {
			bit := uint64(1) << (a.u32(w) & at)
			v := w.s64(d)
			if to {
				v |= bit
			} else {
				v &= mask &^ bit
			}
			if wide {
				w.setS64(d, v)
			} else {
				w.S[d&allScalars] = uint32(v)
			}
		}
	}
}

func sUnary64(f func(uint64) uint64) func(*Wave, uint64) uint64 {
	return func(w *Wave, a uint64) uint64 {
		r := f(a)
		w.setSCC(r != 0)
		return r
	}
}

func sUnary32(f func(uint64) uint64) func(*Wave, uint32) uint32 {
	return func(w *Wave, a uint32) uint32 {
		r := uint32(f(uint64(a)))
		w.setSCC(r != 0)
		return r
	}
}

// sBitreplicate doubles each bit.
func sBitreplicate(i *Inst) Step {
	d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U32)
	return func(w *Wave) {
		var r uint64
		for x, n := a.u32(w), 0; n < 32; n++ {
			r |= uint64(x>>n&1) * 3 << (2 * n)
		}
		w.setS64(d, r)
	}
}

// saveExec keeps EXEC in the destination and combines it with the source; the
// first operand of f is the source. wrexec keeps the new EXEC instead.
func saveExec(f func(a, exec uint64) uint64, keepNew bool) Meaning {
	return func(i *Inst) Step {
		d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], alu.U64)
		return func(w *Wave) {
			old := w.Exec()
			now := f(a.u64(w), old)
			if keepNew {
				old = now
			}
			w.setS64(d, old)
			w.SetExec(now)
			w.setSCC(now != 0)
		}
	}
}
