package gcn

import (
	"math"
	"math/bits"
)

// wideKernel computes all lanes of 64-bit operands, given by their halves. A
// half of the destination may be the other half of a source: a lane is read
// before it is written.
type wideKernel func(dl, dh, al, ah, bl, bh, cl, ch *Lanes)

func waveWide(k wideKernel, d kind, in ...kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, d, in...)
		three := len(in) == 3
		return func(w *Wave) {
			al, ah := v.src[0].halves(w, &w.tmp[0])
			bl, bh := v.src[1].halves(w, &w.tmp[1])
			cl, ch := &zeros, &zeros
			if three {
				cl, ch = v.src[2].halves(w, &w.tmp[2])
			}
			if v.straight(w) {
				k(v.reg(w, 0), v.reg(w, 1), al, ah, bl, bh, cl, ch)
				return
			}
			k(&w.tmp[3][0], &w.tmp[3][1], al, ah, bl, bh, cl, ch)
			v.finish(w, &w.tmp[3])
		}
	}
}

func addF64(dl, dh, al, ah, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := math.Float64bits(double(join(al[i], ah[i])) + double(join(bl[i], bh[i])))
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func mulF64(dl, dh, al, ah, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := math.Float64bits(double(join(al[i], ah[i])) * double(join(bl[i], bh[i])))
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func fmaF64(dl, dh, al, ah, bl, bh, cl, ch *Lanes) {
	for i := range dl {
		r := math.Float64bits(math.FMA(double(join(al[i], ah[i])), double(join(bl[i], bh[i])), double(join(cl[i], ch[i]))))
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func lshlrevB64(dl, dh, al, _, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := join(bl[i], bh[i]) << (al[i] & 63)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func lshrrevB64(dl, dh, al, _, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := join(bl[i], bh[i]) >> (al[i] & 63)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func ashrrevI64(dl, dh, al, _, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := uint64(int64(join(bl[i], bh[i])) >> (al[i] & 63))
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

// madU64U32 is v_mad_u64_u32: a product of 64 bits plus c, and the carry of the sum.
func madU64U32(i *Inst) Step {
	v, to := bindVector(i, u64, u32, u32, u64), maskOut(i)
	return func(w *Wave) {
		a := v.src[0].lanes(w, &w.tmp[0])
		b := v.src[1].lanes(w, &w.tmp[1])
		cl, ch := v.src[2].halves(w, &w.tmp[2])
		if v.straight(w) {
			w.setS64(to, madWide(v.reg(w, 0), v.reg(w, 1), a, b, cl, ch))
			return
		}
		out := madWide(&w.tmp[3][0], &w.tmp[3][1], a, b, cl, ch)
		out &= w.Exec()
		v.finish(w, &w.tmp[3])
		w.setS64(to, out)
	}
}

func madWide(dl, dh, a, b, cl, ch *Lanes) (out uint64) {
	for i := range dl {
		s, carry := bits.Add64(uint64(a[i])*uint64(b[i]), join(cl[i], ch[i]), 0)
		out |= carry << uint(i)
		dl[i], dh[i] = uint32(s), uint32(s>>32)
	}
	return out
}
