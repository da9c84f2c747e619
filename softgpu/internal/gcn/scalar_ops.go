package gcn

import (
	"math"
	"math/bits"
)

func sccNonzero(f func(a, b uint32) uint32) func(*Wave, uint32, uint32) uint32 {
	return func(w *Wave, a, b uint32) uint32 {
		r := f(a, b)
		w.setSCC(r != 0)
		return r
	}
}

func sccNonzero64(f func(a, b uint64) uint64) func(*Wave, uint64, uint64) uint64 {
	return func(w *Wave, a, b uint64) uint64 {
		r := f(a, b)
		w.setSCC(r != 0)
		return r
	}
}

func sAddU32(w *Wave, a, b uint32) uint32 {
	r, c := bits.Add32(a, b, 0)
	w.SCC = c
	return r
}

func sAddcU32(w *Wave, a, b uint32) uint32 {
	r, c := bits.Add32(a, b, w.SCC)
	w.SCC = c
	return r
}

func sSubU32(w *Wave, a, b uint32) uint32 {
	r, c := bits.Sub32(a, b, 0)
	w.SCC = c
	return r
}

func sSubbU32(w *Wave, a, b uint32) uint32 {
	r, c := bits.Sub32(a, b, w.SCC)
	w.SCC = c
	return r
}

func sAddI32(w *Wave, a, b uint32) uint32 {
	r := a + b
	w.SCC = (a ^ r) & (b ^ r) >> 31
	return r
}

func sSubI32(w *Wave, a, b uint32) uint32 {
	r := a - b
	w.SCC = (a ^ b) & (a ^ r) >> 31
	return r
}

func sMinI32(w *Wave, a, b uint32) uint32 {
	w.setSCC(int32(a) < int32(b))
	return uint32(min(int32(a), int32(b)))
}

func sMaxI32(w *Wave, a, b uint32) uint32 {
	w.setSCC(int32(a) > int32(b))
	return uint32(max(int32(a), int32(b)))
}

func sMinU32(w *Wave, a, b uint32) uint32 {
	w.setSCC(a < b)
	return min(a, b)
}

func sMaxU32(w *Wave, a, b uint32) uint32 {
	w.setSCC(a > b)
	return max(a, b)
}

func sCselect32(w *Wave, a, b uint32) uint32 {
	if w.SCC != 0 {
		return a
	}
	return b
}

func sCselect64(w *Wave, a, b uint64) uint64 {
	if w.SCC != 0 {
		return a
	}
	return b
}

func and32(a, b uint32) uint32   { return a & b }
func or32(a, b uint32) uint32    { return a | b }
func xor32(a, b uint32) uint32   { return a ^ b }
func andn232(a, b uint32) uint32 { return a &^ b }
func orn232(a, b uint32) uint32  { return a | ^b }
func nand32(a, b uint32) uint32  { return ^(a & b) }
func nor32(a, b uint32) uint32   { return ^(a | b) }
func xnor32(a, b uint32) uint32  { return ^(a ^ b) }
func lshl32(a, b uint32) uint32  { return a << (b & 31) }
func lshr32(a, b uint32) uint32  { return a >> (b & 31) }
func ashr32(a, b uint32) uint32  { return uint32(int32(a) >> (b & 31)) }

func and64(a, b uint64) uint64   { return a & b }
func or64(a, b uint64) uint64    { return a | b }
func xor64(a, b uint64) uint64   { return a ^ b }
func andn264(a, b uint64) uint64 { return a &^ b }
func andn164(a, b uint64) uint64 { return b &^ a }
func orn264(a, b uint64) uint64  { return a | ^b }
func orn164(a, b uint64) uint64  { return b | ^a }
func nand64(a, b uint64) uint64  { return ^(a & b) }
func nor64(a, b uint64) uint64   { return ^(a | b) }
func xnor64(a, b uint64) uint64  { return ^(a ^ b) }
func lshl64(a, b uint64) uint64  { return a << (b & 63) }
func lshr64(a, b uint64) uint64  { return a >> (b & 63) }
func ashr64(a, b uint64) uint64  { return uint64(int64(a) >> (b & 63)) }

func bfeS32(a, b uint32) uint32 {
	at, width := b&31, b>>16&0x7f
	if width >= 32 {
		return a >> at
	}
	return a >> at & (1<<width - 1)
}

func bfeSI32(a, b uint32) uint32 {
	return uint32(signedField64(uint64(int64(int32(a))), b&31, b>>16&0x7f))
}

func bfeS64(a, b uint64) uint64 {
	at, width := b&63, b>>16&0x7f
	if width >= 64 {
		return a >> at
	}
	return a >> at & (1<<width - 1)
}

func bfeSI64(a, b uint64) uint64 { return signedField64(a, uint32(b&63), uint32(b>>16&0x7f)) }

func signedField64(v uint64, at, width uint32) uint64 {
	v = uint64(int64(v) >> at)
	switch {
	case width == 0:
		return 0
	case width >= 64:
		return v
	}
	return uint64(int64(v<<(64-width)) >> (64 - width))
}

func bfmS32(_ *Wave, a, b uint32) uint32 { return bfmB32(a, b) }
func bfmS64(_ *Wave, a, b uint64) uint64 { return (1<<(a&63) - 1) << (b & 63) }

func sMulI32(_ *Wave, a, b uint32) uint32 { return a * b }
func sMulHiU32(_ *Wave, a, b uint32) uint32 {
	return uint32(uint64(a) * uint64(b) >> 32)
}
func sMulHiI32(_ *Wave, a, b uint32) uint32 {
	return uint32(int64(int32(a)) * int64(int32(b)) >> 32)
}

// sLshlAdd shifts by n and adds; SCC tells whether the sum needs more than 32 bits.
func sLshlAdd(n uint) func(w *Wave, a, b uint32) uint32 {
	return func(w *Wave, a, b uint32) uint32 {
		s := uint64(a)<<n + uint64(b)
		w.setSCC(s > math.MaxUint32)
		return uint32(s)
	}
}

func absdiffI32(a, b uint32) uint32 { return absI32(a - b) }

func absI32(a uint32) uint32 {
	s := uint32(int32(a) >> 31)
	return a ^ s - s
}

func sPackLL(_ *Wave, a, b uint32) uint32 { return a&0xffff | b<<16 }
func sPackLH(_ *Wave, a, b uint32) uint32 { return a&0xffff | b&^0xffff }
func sPackHH(_ *Wave, a, b uint32) uint32 { return a>>16 | b&^0xffff }
