package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Vector arithmetic that RDNA has added to GFX9's.

// Xor3B32 binds v_xor3_b32.
func Xor3B32(d, a, b, c *alu.Lanes) {
	for l := range d {
		d[l] = a[l] ^ b[l] ^ c[l]
	}
}

// TwoPicks picks of two, and of that and a third: v_maxmin and its like.
func TwoPicks(first, second alu.Kernel2) alu.TempKernel3 {
	return func(temp *[4]alu.Pair, d, a, b, c *alu.Lanes) {
		first(&temp[0][1], a, b)
		second(d, &temp[0][1], c)
	}
}

// FmaLegacyF32 is a multiplication and addition, rounded once, in which 0 times anything is 0.
func FmaLegacyF32(temp *[4]alu.Pair, d, a, b, c *alu.Lanes) {
	r := &temp[3][1]
	alu.FmaF32(r, a, b, c)
	for l := range r {
		if a[l]<<1 != 0 && b[l]<<1 != 0 {
			continue
		}
		if r[l] = c[l] | alu.Quiet32; !alu.OrderF32.IsNaN(uint64(c[l])) {
			r[l] = uint32(alu.FromSingle(alu.Float(c[l]) + 0))
		}
	}
	*d = *r
}

// CndmaskB16 is v_cndmask_b16: the mask is the third source.
func CndmaskB16(i *encoding.Inst) encoding.Step {
	v := bindVector(i, alu.U16, alu.U16, alu.U16)
	in := maskIn(i, 2)
	return func(w *wave.Wave) {
		a, b := v.src[0].lanes(w, &w.Temp[0]), v.src[1].lanes(w, &w.Temp[1])
		alu.CndmaskB32(&w.Temp[3][0], a, b, in.u64(w))
		v.finish(w, &w.Temp[3])
	}
}

// SwapHalves is v_swap_b16.
func SwapHalves(i *encoding.Inst) encoding.Step {
	a, b := int(i.Dst.Reg), int(i.Src[0].Reg)
	to, from := uint32(i.OpSel>>encoding.Destination&1)*16, uint32(i.OpSel&1)*16
	return func(w *wave.Wave) {
		x, y := &w.V[a], &w.V[b]
		for m := w.Exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			p, q := x[l]>>to&0xffff, y[l]>>from&0xffff
			x[l] = x[l]&^(0xffff<<to) | q<<to
			y[l] = y[l]&^(0xffff<<from) | p<<from
		}
	}
}

// CvtPkInt16 converts two singles to integers and packs them: v_cvt_pk_i16_f32 and v_cvt_pk_u16_f32.
func CvtPkInt16(low, high float64) alu.Kernel2 {
	one := func(x uint32) uint32 {
		f := alu.Single(uint64(x))
		if f != f {
			return 0
		}
		return uint32(int32(min(max(f, low), high))) & 0xffff
	}
	return func(d, a, b *alu.Lanes) {
		for l := range d {
			d[l] = one(a[l]) | one(b[l])<<16
		}
	}
}

// Permlane64 exchanges the halves of a wave of 64. In one of 32 it does nothing.
func Permlane64(i *encoding.Inst) encoding.Step {
	d, s := int(i.Dst.Reg), int(i.Src[0].Reg)
	if i.Wave32 {
		return func(*wave.Wave) {}
	}
	return func(w *wave.Wave) {
		r := &w.Temp[3][0]
		from := &w.V[s]
		copy(r[:32], from[32:])
		copy(r[32:], from[:32])
		alu.Blend(&w.V[d], r, w.Exec())
	}
}

// PermlaneRow reads, for each lane of a row of 16, the lane of its row, or of the row
// next to it where cross is set, that four bits of two scalars tell. Lanes that are not
// active are read with fi; else they give 0 with bound_ctrl, and without the reader keeps
// what it has.
func PermlaneRow(cross bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d, s := int(i.Dst.Reg), int(i.Src[0].Reg)
		low, high := bindScalar(&i.Src[1], alu.U32), bindScalar(&i.Src[2], alu.U32)
		fetch, zero := i.OpSel&1 != 0, i.OpSel&2 != 0
		return func(w *wave.Wave) {
			sel := alu.Join(low.U32(w), high.U32(w))
			from, to, exec := w.V[s], &w.V[d], w.Exec()
			for m := exec; m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				at := l&^15 | int(sel>>(l&15*4)&15)
				if cross {
					at ^= 16
				}
				switch {
				case fetch || exec>>at&1 != 0:
					to[l] = from[at]
				case zero:
					to[l] = 0
				}
			}
		}
	}
}

// MoveRelative is v_movrels, v_movreld and their like: M0, or a part of it, is added to the
// number of the source, of the destination, or of both. A source that does not exist is
// v0, a destination that does not exist is not written.
func MoveRelative(source, dst func(m0 uint32) uint32) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, alu.U32, alu.U32)
		return func(w *wave.Wave) {
			x := *v
			if source != nil && x.src[0].from == encoding.VReg {
				if x.src[0].reg += int(source(w.S[wave.M0])); x.src[0].reg >= len(w.V) {
					x.src[0].reg = 0
				}
			}
			if dst != nil {
				if x.dst += int(dst(w.S[wave.M0])); x.dst >= len(w.V) {
					return
				}
			}
			w.Temp[3][0] = *x.src[0].lanes(w, &w.Temp[0])
			x.finish(w, &w.Temp[3])
		}
	}
}

// AllOfM0 is M0, at most the size of LDS.
func AllOfM0(m0 uint32) uint32 { return min(m0, 1<<16) }

// LowOfM0 is the number in the low bits of M0.
func LowOfM0(m0 uint32) uint32 { return m0 & 0x3ff }

// HighOfM0 is the number in the upper half of M0.
func HighOfM0(m0 uint32) uint32 { return m0 >> 16 & 0x3ff }

// SwapRelative is v_swaprel_b32: bits 9:0 of M0 are added to the source's number, bits 25:16 to the destination's.
func SwapRelative(i *encoding.Inst) encoding.Step {
	a, b := int(i.Dst.Reg), int(i.Src[0].Reg)
	return func(w *wave.Wave) {
		x, y := a+int(HighOfM0(w.S[wave.M0])), b+int(LowOfM0(w.S[wave.M0]))
		if y >= len(w.V) {
			y = 0
		}
		if x >= len(w.V) {
			return
		}
		w.Temp[0][0] = w.V[x]
		alu.Blend(&w.V[x], &w.V[y], w.Exec())
		alu.Blend(&w.V[y], &w.Temp[0][0], w.Exec())
	}
}

// DotSigned makes a meaning of a dot product of bytes or nibbles, of which neg tells for
// each source whether they have signs: v_dot4_i32_iu8 and v_dot8_i32_iu4.
func DotSigned(width uint) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		c := *i
		c.Neg, c.NegHi = 0, 0
		v := bindVector(&c, alu.U32, alu.U32, alu.U32, alu.U32)
		var part [2]func(x uint32, at uint) int64
		for n := range part {
			part[n] = func(x uint32, at uint) int64 { return int64(x >> at & (1<<width - 1)) }
			if i.Neg>>n&1 != 0 {
				part[n] = func(x uint32, at uint) int64 { return int64(int32(x<<(32-width-at)) >> (32 - width)) }
			}
		}
		clamp := i.Clamp
		return v.step3(func(d, a, b, c *alu.Lanes) {
			for l := range d {
				sum := int64(int32(c[l]))
				for at := uint(0); at < 32; at += width {
					sum += part[0](a[l], at) * part[1](b[l], at)
				}
				if clamp {
					sum = min(max(sum, -1<<31), 1<<31-1)
				}
				d[l] = uint32(sum)
			}
		})
	}
}
