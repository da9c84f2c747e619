package gcn

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// readFirstLane reads the first active lane; lane 0 where none is active.
func readFirstLane(i *Inst) Step {
	src := bindSource(i, 0, alu.U32)
	dst := i.Dst.Reg & allScalars
	return func(w *Wave) {
		lane := bits.TrailingZeros64(w.Exec()) & 63
		lo, _ := src.raw(w, &w.tmp[0])
		w.S[dst] = lo[lane]
	}
}

// lane is the lane that a number names: numbers count round the wave.
func (w *Wave) lane(n uint32) uint32 { return n & (63 - w.absent&32) }

func readLane(i *Inst) Step {
	src, lane := bindSource(i, 0, alu.U32), bindScalar(&i.Src[1], alu.U32)
	dst := i.Dst.Reg & allScalars
	return func(w *Wave) {
		lo, _ := src.raw(w, &w.tmp[0])
		w.S[dst] = lo[w.lane(lane.u32(w))]
	}
}

// writeLane writes one lane, active or not.
func writeLane(i *Inst) Step {
	v := bindVector(i, alu.U32)
	val, lane := bindScalar(&i.Src[0], alu.U32), bindScalar(&i.Src[1], alu.U32)
	return func(w *Wave) { v.reg(w, 0)[w.lane(lane.u32(w))] = val.u32(w) }
}

// moveB32 is v_mov_b32, the one vector instruction that compilers use while
// register indexes are relative to M0.
func moveB32(i *Inst) Step {
	v := bindVector(i, alu.U32, alu.U32)
	plain := !v.src[0].modified
	return v.moves(func(w *Wave) {
		if w.Mode&gprIndex != 0 {
			v.moveIndexed(w)
			return
		}
		if plain && v.unmodified && v.src[0].from == NoOperand {
			x := v.src[0].s.u32(w)
			d := v.reg(w, 0)
			if m := w.Exec(); w.full() {
				d.Fill(x)
			} else {
				for ; m != 0; m &= m - 1 {
					d[bits.TrailingZeros64(m)&63] = x
				}
			}
			return
		}
		a := v.src[0].lanes(w, &w.tmp[0])
		if v.straight(w) {
			*v.reg(w, 0) = *a
			return
		}
		if v.unmodified {
			alu.Blend(v.reg(w, 0), a, w.Exec())
			return
		}
		w.tmp[3][0] = *a
		v.finish(w, &w.tmp[3])
	})
}

// swapB32 exchanges two vector registers.
func swapB32(i *Inst) Step {
	a, b := i.Dst.Reg, i.Src[0].Reg
	return func(w *Wave) {
		x, y, m := &w.V[a], &w.V[b], w.Exec()
		w.tmp[0][0] = *x
		alu.Blend(x, y, m)
		alu.Blend(y, &w.tmp[0][0], m)
	}
}

// mbcnt counts the bits of a below the lane's own, in the low or the high half of the wave.
func mbcnt(high bool) Meaning {
	return wave2(func(d, a, b *alu.Lanes) {
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
