package gcn

import (
	"math"
	"math/bits"
)

// Meanings of scalar instructions. Their functions return the result and set
// SCC through the wave where the instruction does.

func (w *Wave) setSCC(b bool) {
	w.SCC = 0
	if b {
		w.SCC = 1
	}
}

func sop2(f func(w *Wave, a, b uint32) uint32) Meaning {
	return func(i *Inst) Step {
		d := i.Dst.Reg & 127
		a, b := bindScalar(&i.Src[0], u32), bindScalar(&i.Src[1], u32)
		return func(w *Wave) { w.S[d&127] = f(w, a.u32(w), b.u32(w)) }
	}
}

// sop2wide is for operands of 64 bits; b is narrow where the instruction says so.
func sop2wide(f func(w *Wave, a, b uint64) uint64, a, b kind) Meaning {
	return func(i *Inst) Step {
		d := int(i.Dst.Reg)
		x, y := bindScalar(&i.Src[0], a), bindScalar(&i.Src[1], b)
		if b.wide() {
			return func(w *Wave) { w.setS64(d, f(w, x.u64(w), y.u64(w))) }
		}
		if a.wide() {
			return func(w *Wave) { w.setS64(d, f(w, x.u64(w), uint64(y.u32(w)))) }
		}
		return func(w *Wave) { w.setS64(d, f(w, uint64(x.u32(w)), uint64(y.u32(w)))) }
	}
}

func sop1(f func(w *Wave, a uint32) uint32) Meaning {
	return func(i *Inst) Step {
		d := i.Dst.Reg & 127
		a := bindScalar(&i.Src[0], u32)
		return func(w *Wave) { w.S[d&127] = f(w, a.u32(w)) }
	}
}

func sop1wide(f func(w *Wave, a uint64) uint64) Meaning {
	return func(i *Inst) Step {
		d := int(i.Dst.Reg)
		a := bindScalar(&i.Src[0], u64)
		return func(w *Wave) { w.setS64(d, f(w, a.u64(w))) }
	}
}

// sop1narrow is for a source of 64 bits and a result of 32.
func sop1narrow(f func(w *Wave, a uint64) uint32) Meaning {
	return func(i *Inst) Step {
		d := i.Dst.Reg & 127
		a := bindScalar(&i.Src[0], u64)
		return func(w *Wave) { w.S[d&127] = f(w, a.u64(w)) }
	}
}

// sopc compares into SCC.
func sopc(f func(a, b uint32) bool) Meaning {
	return func(i *Inst) Step {
		a, b := bindScalar(&i.Src[0], u32), bindScalar(&i.Src[1], u32)
		return func(w *Wave) { w.setSCC(f(a.u32(w), b.u32(w))) }
	}
}

func sopcWide(f func(a, b uint64) bool, b kind) Meaning {
	return func(i *Inst) Step {
		x, y := bindScalar(&i.Src[0], u64), bindScalar(&i.Src[1], b)
		if b.wide() {
			return func(w *Wave) { w.setSCC(f(x.u64(w), y.u64(w))) }
		}
		return func(w *Wave) { w.setSCC(f(x.u64(w), uint64(y.u32(w)))) }
	}
}

// sopkCompare compares a register with the immediate: the first operand of the instruction is read.
func sopkCompare(f func(a, b uint32) bool, unsigned bool) Meaning {
	return func(i *Inst) Step {
		a, k := sopkRegister(i), uint32(int32(int16(i.Imm)))
		if unsigned {
			k &= 0xffff
		}
		return func(w *Wave) { w.setSCC(f(w.S[a&127], k)) }
	}
}

func sopkRegister(i *Inst) uint16 {
	if i.Dst.Kind == SReg {
		return i.Dst.Reg & 127
	}
	return i.Src[0].Reg & 127
}

// sopk computes with a register and the sign-extended immediate into the register.
func sopk(f func(w *Wave, d, k uint32) uint32) Meaning {
	return func(i *Inst) Step {
		d, k := sopkRegister(i), uint32(int32(int16(i.Imm)))
		return func(w *Wave) { w.S[d&127] = f(w, w.S[d&127], k) }
	}
}

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

func sMov32(_ *Wave, a uint32) uint32 { return a }
func sMov64(_ *Wave, a uint64) uint64 { return a }

// sCmov writes its result back when SCC is not set.
func sCmov32(i *Inst) Step {
	d, a := i.Dst.Reg&127, bindScalar(&i.Src[0], u32)
	return func(w *Wave) {
		if w.SCC != 0 {
			w.S[d] = a.u32(w)
		}
	}
}

func sCmov64(i *Inst) Step {
	d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], u64)
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
	a = absI32(a)
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

func sFF132(_ *Wave, a uint32) uint32 { return ffblB32(a) }
func sFF032(_ *Wave, a uint32) uint32 { return ffblB32(^a) }
func sFF164(_ *Wave, a uint64) uint32 {
	if a == 0 {
		return math.MaxUint32
	}
	return uint32(bits.TrailingZeros64(a))
}
func sFF064(w *Wave, a uint64) uint32    { return sFF164(w, ^a) }
func sFlbit32(_ *Wave, a uint32) uint32  { return ffbhU32(a) }
func sFlbitI32(_ *Wave, a uint32) uint32 { return ffbhI32(a) }
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
		d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], u32)
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
				w.S[d&127] = uint32(v)
			}
		}
	}
}

// wholeQuads sets all four bits of each quad with any.
func wholeQuads(a uint64) uint64 { return anyOfQuad(a) * 15 }

// anyOfQuad leaves the lowest bit of each quad that has any.
func anyOfQuad(a uint64) uint64 { return (a | a>>1 | a>>2 | a>>3) & 0x1111111111111111 }

// quadMask gathers one bit for each quad.
func quadMask(a uint64) (r uint64) {
	a = anyOfQuad(a)
	for i := 0; i < 16; i++ {
		r |= a >> (i * 4) & 1 << i
	}
	return r
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
	d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], u32)
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
		d, a := int(i.Dst.Reg), bindScalar(&i.Src[0], u64)
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

func eq32(a, b uint32) bool  { return a == b }
func ne32(a, b uint32) bool  { return a != b }
func gtI32(a, b uint32) bool { return int32(a) > int32(b) }
func geI32(a, b uint32) bool { return int32(a) >= int32(b) }
func ltI32(a, b uint32) bool { return int32(a) < int32(b) }
func leI32(a, b uint32) bool { return int32(a) <= int32(b) }
func gtU32(a, b uint32) bool { return a > b }
func geU32(a, b uint32) bool { return a >= b }
func ltU32(a, b uint32) bool { return a < b }
func leU32(a, b uint32) bool { return a <= b }
func ne64(a, b uint64) bool  { return a != b }

func bit0In32(a, b uint32) bool { return a>>(b&31)&1 == 0 }
func bit1In32(a, b uint32) bool { return a>>(b&31)&1 != 0 }
func bit0In64(a, b uint64) bool { return a>>(b&63)&1 == 0 }
func bit1In64(a, b uint64) bool { return a>>(b&63)&1 != 0 }

func sMovk(_ *Wave, _, k uint32) uint32  { return k }
func sMulk(_ *Wave, d, k uint32) uint32  { return d * k }
func sCmovk(w *Wave, d, k uint32) uint32 { return sCselect32(w, k, d) }
