package gcn

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Vector arithmetic that RDNA has added to GFX9's.

func xor3B32(d, a, b, c *alu.Lanes) {
	for l := range d {
		d[l] = a[l] ^ b[l] ^ c[l]
	}
}

// twoPicks picks of two, and of that and a third: v_maxmin and its like.
func twoPicks(first, second alu.Kernel2) alu.TempKernel3 {
	return func(temp *[4]alu.Pair, d, a, b, c *alu.Lanes) {
		first(&temp[0][1], a, b)
		second(d, &temp[0][1], c)
	}
}

// fmaLegacyF32 is a multiplication and addition, rounded once, in which 0 times anything is 0.
func fmaLegacyF32(temp *[4]alu.Pair, d, a, b, c *alu.Lanes) {
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

// cndmaskB16 is v_cndmask_b16: the mask is the third source.
func cndmaskB16(i *Inst) Step {
	v := bindVector(i, alu.U16, alu.U16, alu.U16)
	in := maskIn(i, 2)
	return func(w *Wave) {
		a, b := v.src[0].lanes(w, &w.tmp[0]), v.src[1].lanes(w, &w.tmp[1])
		alu.CndmaskB32(&w.tmp[3][0], a, b, in.u64(w))
		v.finish(w, &w.tmp[3])
	}
}

// swapHalves is v_swap_b16.
func swapHalves(i *Inst) Step {
	a, b := int(i.Dst.Reg), int(i.Src[0].Reg)
	to, from := uint32(i.OpSel>>destination&1)*16, uint32(i.OpSel&1)*16
	return func(w *Wave) {
		x, y := &w.V[a], &w.V[b]
		for m := w.Exec(); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			p, q := x[l]>>to&0xffff, y[l]>>from&0xffff
			x[l] = x[l]&^(0xffff<<to) | q<<to
			y[l] = y[l]&^(0xffff<<from) | p<<from
		}
	}
}

// cvtPkInt16 converts two singles to integers and packs them: v_cvt_pk_i16_f32 and v_cvt_pk_u16_f32.
func cvtPkInt16(low, high float64) alu.Kernel2 {
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

// permlane64 exchanges the halves of a wave of 64. In one of 32 it does nothing.
func permlane64(i *Inst) Step {
	d, s := int(i.Dst.Reg), int(i.Src[0].Reg)
	if i.Wave32 {
		return func(*Wave) {}
	}
	return func(w *Wave) {
		r := &w.tmp[3][0]
		from := &w.V[s]
		copy(r[:32], from[32:])
		copy(r[32:], from[:32])
		alu.Blend(&w.V[d], r, w.Exec())
	}
}

// permlaneRow reads, for each lane of a row of 16, the lane of its row, or of the row
// next to it where cross is set, that four bits of two scalars tell. Lanes that are not
// active are read with fi; else they give 0 with bound_ctrl, and without the reader keeps
// what it has.
func permlaneRow(cross bool) Meaning {
	return func(i *Inst) Step {
		d, s := int(i.Dst.Reg), int(i.Src[0].Reg)
		low, high := bindScalar(&i.Src[1], alu.U32), bindScalar(&i.Src[2], alu.U32)
		fetch, zero := i.OpSel&1 != 0, i.OpSel&2 != 0
		return func(w *Wave) {
			sel := alu.Join(low.u32(w), high.u32(w))
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

// moveRelative is v_movrels, v_movreld and their like: M0, or a part of it, is added to the
// number of the source, of the destination, or of both. A source that does not exist is
// v0, a destination that does not exist is not written.
func moveRelative(source, dst func(m0 uint32) uint32) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, alu.U32, alu.U32)
		return func(w *Wave) {
			x := *v
			if source != nil && x.src[0].from == VReg {
				if x.src[0].reg += int(source(w.S[M0])); x.src[0].reg >= len(w.V) {
					x.src[0].reg = 0
				}
			}
			if dst != nil {
				if x.dst += int(dst(w.S[M0])); x.dst >= len(w.V) {
					return
				}
			}
			w.tmp[3][0] = *x.src[0].lanes(w, &w.tmp[0])
			x.finish(w, &w.tmp[3])
		}
	}
}

func allOfM0(m0 uint32) uint32  { return min(m0, 1<<16) }
func lowOfM0(m0 uint32) uint32  { return m0 & 0x3ff }
func highOfM0(m0 uint32) uint32 { return m0 >> 16 & 0x3ff }

// swapRelative is v_swaprel_b32: bits 9:0 of M0 are added to the number of the source,
// 25:16 to that of the destination.
func swapRelative(i *Inst) Step {
	a, b := int(i.Dst.Reg), int(i.Src[0].Reg)
	return func(w *Wave) {
		x, y := a+int(highOfM0(w.S[M0])), b+int(lowOfM0(w.S[M0]))
		if y >= len(w.V) {
			y = 0
		}
		if x >= len(w.V) {
			return
		}
		w.tmp[0][0] = w.V[x]
		alu.Blend(&w.V[x], &w.V[y], w.Exec())
		alu.Blend(&w.V[y], &w.tmp[0][0], w.Exec())
	}
}

// dotSigned makes a meaning of a dot product of bytes or nibbles, of which neg tells for
// each source whether they have signs: v_dot4_i32_iu8 and v_dot8_i32_iu4.
func dotSigned(width uint) Meaning {
	return func(i *Inst) Step {
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

// bindSecond binds a pair of instructions: both read before either writes. Their
// destinations differ.
func bindSecond(i *Inst, modes bool) Step {
	first := *i
	first.Second = nil
	x, y := Bind(&first, modes), Bind(i.Second, modes)
	if x == nil || y == nil {
		return nil
	}
	switch dx, dy := int(i.Dst.Reg), int(i.Second.Dst.Reg); {
	case !i.Second.readsVector(dx):
		return func(w *Wave) { x(w); y(w) }
	case !first.readsVector(dy):
		return func(w *Wave) { y(w); x(w) }
	default:
		return func(w *Wave) {
			before := w.V[dx]
			x(w)
			result := w.V[dx]
			w.V[dx] = before
			y(w)
			w.V[dx] = result
		}
	}
}

// readsVector tells whether a vector register is among the sources.
func (i *Inst) readsVector(reg int) bool {
	for n := range i.Src {
		if o := &i.Src[n]; o.Kind == VReg && int(o.Reg) == reg {
			return true
		}
	}
	return false
}
