package gcn

import (
	"math"
	"math/bits"
)

// wideKernel computes all lanes of 64-bit operands, given by their halves. A
// half of the destination may be the other half of a source: a lane is read
// before it is written.
type wideKernel func(dl, dh, al, ah, bl, bh, cl, ch *Lanes)

// wideKernel1 and wideKernel2 have fewer operands.
type (
	wideKernel1 func(dl, dh, al, ah *Lanes)
	wideKernel2 func(dl, dh, al, ah, bl, bh *Lanes)
)

// waveWide makes a meaning of one. Operands of 32 bits have zeros for upper halves,
// and results none.
func waveWide(k wideKernel, d kind, in ...kind) Meaning {
	return func(i *Inst) Step { return bindVector(i, d, in...).stepWide(k, len(in)) }
}

// stepWide is a kernel's step with count sources.
func (v *valu) stepWide(k wideKernel, count int) Step {
	return func(w *Wave) {
		al, ah := v.src[0].halves(w, &w.tmp[0])
		bl, bh, cl, ch := &zeros, &zeros, &zeros, &zeros
		if count > 1 {
			bl, bh = v.src[1].halves(w, &w.tmp[1])
		}
		if count > 2 {
			cl, ch = v.src[2].halves(w, &w.tmp[2])
		}
		if v.straight(w) {
			dh := &w.tmp[3][1]
			if v.out.wide() {
				dh = v.reg(w, 1)
			}
			k(v.reg(w, 0), dh, al, ah, bl, bh, cl, ch)
			return
		}
		k(&w.tmp[3][0], &w.tmp[3][1], al, ah, bl, bh, cl, ch)
		v.finish(w, &w.tmp[3])
	}
}

func portableAddF64(dl, dh, al, ah, bl, bh, _, _ *Lanes) {
	for i := range dl {
		a, b := join(al[i], ah[i]), join(bl[i], bh[i])
		r := doubleOf(double(a)+double(b), a, b, 0)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func portableMulF64(dl, dh, al, ah, bl, bh, _, _ *Lanes) {
	for i := range dl {
		a, b := join(al[i], ah[i]), join(bl[i], bh[i])
		r := doubleOf(double(a)*double(b), a, b, 0)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func portableFmaF64(dl, dh, al, ah, bl, bh, cl, ch *Lanes) {
	for i := range dl {
		a, b, c := join(al[i], ah[i]), join(bl[i], bh[i]), join(cl[i], ch[i])
		r := doubleOf(math.FMA(double(a), double(b), double(c)), a, b, c)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func portableRndneF64(dl, dh, al, ah *Lanes) { doubles1(dl, dh, al, ah, math.RoundToEven) }
func portableFloorF64(dl, dh, al, ah *Lanes) { doubles1(dl, dh, al, ah, math.Floor) }
func portableCeilF64(dl, dh, al, ah *Lanes)  { doubles1(dl, dh, al, ah, math.Ceil) }
func portableTruncF64(dl, dh, al, ah *Lanes) { doubles1(dl, dh, al, ah, math.Trunc) }
func portableSqrtF64(dl, dh, al, ah *Lanes)  { doubles1(dl, dh, al, ah, math.Sqrt) }
func portableRcpF64(dl, dh, al, ah *Lanes)   { doubles1(dl, dh, al, ah, rcp64) }
func portableRsqF64(dl, dh, al, ah *Lanes)   { doubles1(dl, dh, al, ah, rsq64) }
func portableFractF64(dl, dh, al, ah *Lanes) { doubles1(dl, dh, al, ah, fract64) }

func portableMinF64(dl, dh, al, ah, bl, bh *Lanes) { wide2(dl, dh, al, ah, bl, bh, orderF64.least) }
func portableMaxF64(dl, dh, al, ah, bl, bh *Lanes) { wide2(dl, dh, al, ah, bl, bh, orderF64.most) }

func portableLshlrevB64(dl, dh, al, _, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := join(bl[i], bh[i]) << (al[i] & 63)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func portableLshrrevB64(dl, dh, al, _, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := join(bl[i], bh[i]) >> (al[i] & 63)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func portableAshrrevI64(dl, dh, al, _, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := uint64(int64(join(bl[i], bh[i])) >> (al[i] & 63))
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

// wideCarrier computes a*b+c of 64 bits and a bit for each lane.
type wideCarrier func(dl, dh, a, b, cl, ch *Lanes) (out uint64)

// madWide makes a meaning of v_mad_u64_u32 and its like: a product of 64 bits
// plus c of kind t, and bit 64 of the sum.
func madWide(k wideCarrier, t kind) Meaning {
	return func(i *Inst) Step {
		v, to := bindVector(i, t, u32, u32, t), maskOut(i)
		return func(w *Wave) {
			a := v.src[0].lanes(w, &w.tmp[0])
			b := v.src[1].lanes(w, &w.tmp[1])
			cl, ch := v.src[2].halves(w, &w.tmp[2])
			if v.straight(w) {
				to.set(w, k(v.reg(w, 0), v.reg(w, 1), a, b, cl, ch))
				return
			}
			out := k(&w.tmp[3][0], &w.tmp[3][1], a, b, cl, ch)
			out &= w.Exec()
			v.finish(w, &w.tmp[3])
			to.set(w, out)
		}
	}
}

func portableMadU64U32(dl, dh, a, b, cl, ch *Lanes) (out uint64) {
	for i := range dl {
		s, carry := bits.Add64(uint64(a[i])*uint64(b[i]), join(cl[i], ch[i]), 0)
		out |= carry << uint(i)
		dl[i], dh[i] = uint32(s), uint32(s>>32)
	}
	return out
}

// portableMadI64I32 returns bit 64 of the sum of the sign-extended terms.
func portableMadI64I32(dl, dh, a, b, cl, ch *Lanes) (out uint64) {
	for i := range dl {
		p, c := uint64(int64(int32(a[i]))*int64(int32(b[i]))), join(cl[i], ch[i])
		s, carry := bits.Add64(p, c, 0)
		out |= (p>>63 ^ c>>63 ^ carry) << uint(i)
		dl[i], dh[i] = uint32(s), uint32(s>>32)
	}
	return out
}
