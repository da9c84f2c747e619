package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// ReadFirstLane reads the first active lane; lane 0 where none is active.
func ReadFirstLane(i *encoding.Inst) encoding.Step {
	src := bindSource(i, 0, alu.U32)
	dst := i.Dst.Reg & wave.AllScalars
	return func(w *wave.Wave) {
		lane := bits.TrailingZeros64(w.Exec()) & 63
		lo, _ := src.raw(w, &w.Temp[0])
		w.S[dst] = lo[lane]
	}
}

// ReadLane binds v_readlane_b32.
func ReadLane(i *encoding.Inst) encoding.Step {
	src, lane := bindSource(i, 0, alu.U32), bindScalar(&i.Src[1], alu.U32)
	dst := i.Dst.Reg & wave.AllScalars
	return func(w *wave.Wave) {
		lo, _ := src.raw(w, &w.Temp[0])
		w.S[dst] = lo[w.Lane(lane.U32(w))]
	}
}

// WriteLane writes one lane, active or not.
func WriteLane(i *encoding.Inst) encoding.Step {
	v := bindVector(i, alu.U32)
	val, lane := bindScalar(&i.Src[0], alu.U32), bindScalar(&i.Src[1], alu.U32)
	return func(w *wave.Wave) { v.reg(w, 0)[w.Lane(lane.U32(w))] = val.U32(w) }
}

// MoveB32 is v_mov_b32, the one vector instruction that compilers use while
// register indexes are relative to M0.
func MoveB32(i *encoding.Inst) encoding.Step {
	v := bindVector(i, alu.U32, alu.U32)
	plain := !v.src[0].modified
	return v.moves(func(w *wave.Wave) {
		if w.Mode&wave.GPRIndex != 0 {
			v.moveIndexed(w)
			return
		}
		if plain && v.Unmodified && v.src[0].from == encoding.NoOperand {
			x := v.src[0].s.U32(w)
			d := v.reg(w, 0)
			if m := w.Exec(); w.Full() {
				d.Fill(x)
			} else {
				for ; m != 0; m &= m - 1 {
					d[bits.TrailingZeros64(m)&63] = x
				}
			}
			return
		}
		a := v.src[0].lanes(w, &w.Temp[0])
		if v.straight(w) {
			*v.reg(w, 0) = *a
			return
		}
		if v.Unmodified {
			alu.Blend(v.reg(w, 0), a, w.Exec())
			return
		}
		w.Temp[3][0] = *a
		v.finish(w, &w.Temp[3])
	})
}

// SwapB32 exchanges two vector registers.
func SwapB32(i *encoding.Inst) encoding.Step {
	a, b := i.Dst.Reg, i.Src[0].Reg
	return func(w *wave.Wave) {
		x, y, m := &w.V[a], &w.V[b], w.Exec()
		w.Temp[0][0] = *x
		alu.Blend(x, y, m)
		alu.Blend(y, &w.Temp[0][0], m)
	}
}

// Mbcnt counts the bits of a below the lane's own, in the low or the high half of the wave.
func Mbcnt(high bool) encoding.Meaning {
	return Wave2(func(d, a, b *alu.Lanes) {
		for i := range d {
			below := uint64(1)<<uint(i) - 1
			if high {
				below >>= 32
			}
			d[i] = uint32(bits.OnesCount32(a[i]&uint32(below))) + b[i]
		}
	}, alu.U32, alu.U32, alu.U32)
}

// bcnt counts bits and adds.
