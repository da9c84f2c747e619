package alu

import (
	"math"
	"math/bits"
)

// WideKernel computes all lanes of 64-bit operands, given by their halves. A
// half of the destination may be the other half of a source: a lane is read
// before it is written.
type WideKernel func(dl, dh, al, ah, bl, bh, cl, ch *Lanes)

// WideKernel1 and WideKernel2 have fewer operands.
type (
	WideKernel1 func(dl, dh, al, ah *Lanes)
	WideKernel2 func(dl, dh, al, ah, bl, bh *Lanes)
)

func portableAddF64(dl, dh, al, ah, bl, bh, _, _ *Lanes) {
	for i := range dl {
		a, b := Join(al[i], ah[i]), Join(bl[i], bh[i])
		r := DoubleOf(Double(a)+Double(b), a, b, 0)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func portableMulF64(dl, dh, al, ah, bl, bh, _, _ *Lanes) {
	for i := range dl {
		a, b := Join(al[i], ah[i]), Join(bl[i], bh[i])
		r := DoubleOf(Double(a)*Double(b), a, b, 0)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func portableFmaF64(dl, dh, al, ah, bl, bh, cl, ch *Lanes) {
	for i := range dl {
		a, b, c := Join(al[i], ah[i]), Join(bl[i], bh[i]), Join(cl[i], ch[i])
		r := DoubleOf(math.FMA(Double(a), Double(b), Double(c)), a, b, c)
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

func portableMinF64(dl, dh, al, ah, bl, bh *Lanes) { wide2(dl, dh, al, ah, bl, bh, OrderF64.Least) }
func portableMaxF64(dl, dh, al, ah, bl, bh *Lanes) { wide2(dl, dh, al, ah, bl, bh, OrderF64.Most) }

func portableLshlrevB64(dl, dh, al, _, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := Join(bl[i], bh[i]) << (al[i] & 63)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func portableLshrrevB64(dl, dh, al, _, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := Join(bl[i], bh[i]) >> (al[i] & 63)
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

func portableAshrrevI64(dl, dh, al, _, bl, bh, _, _ *Lanes) {
	for i := range dl {
		r := uint64(int64(Join(bl[i], bh[i])) >> (al[i] & 63))
		dl[i], dh[i] = uint32(r), uint32(r>>32)
	}
}

// WideCarrier computes a*b+c of 64 bits and a bit for each lane.
type WideCarrier func(dl, dh, a, b, cl, ch *Lanes) (out uint64)

func portableMadU64U32(dl, dh, a, b, cl, ch *Lanes) (out uint64) {
	for i := range dl {
		s, carry := bits.Add64(uint64(a[i])*uint64(b[i]), Join(cl[i], ch[i]), 0)
		out |= carry << uint(i)
		dl[i], dh[i] = uint32(s), uint32(s>>32)
	}
	return out
}

// portableMadI64I32 returns bit 64 of the sum of the sign-extended terms.
func portableMadI64I32(dl, dh, a, b, cl, ch *Lanes) (out uint64) {
	for i := range dl {
		p, c := uint64(int64(int32(a[i]))*int64(int32(b[i]))), Join(cl[i], ch[i])
		s, carry := bits.Add64(p, c, 0)
		out |= (p>>63 ^ c>>63 ^ carry) << uint(i)
		dl[i], dh[i] = uint32(s), uint32(s>>32)
	}
	return out
}
