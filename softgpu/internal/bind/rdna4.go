package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// What GFX12 has added.

// nextCondSub subtracts, unless that would be less than 0.
func nextCondSub(old, data, _ uint64) uint64 {
	if old >= data {
		return old - data
	}
	return old
}

// AtomicCondSub subtracts where the result is not below zero.
var AtomicCondSub = &memory.AtomicOp{Next: nextCondSub}

// groupBarrier is the number of the barrier that a workgroup has.
const groupBarrier = 1<<32 - 1

// BarrierSignal makes the meaning of s_barrier_signal: the wave has arrived, and goes on. With first, SCC reports whether
// it was the first one.
func BarrierSignal(first bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		switch {
		case OfCluster(i) && !first:
			return Nothing(i)
		case OfNamed(i):
			return signalNamed(i, first)
		case !ofGroup(i):
			return nil
		}
		return func(w *wave.Wave) {
			if first {
				w.SetSCC(w.Group == nil || w.Group.Arrived == 0)
			}
			w.Arrive()
		}
	}
}

// ofGroup reports whether the barrier that i names is the workgroup's.
func ofGroup(i *encoding.Inst) bool {
	return i.Src[0].Kind == encoding.Const && i.Src[0].Value == groupBarrier
}

// BarrierWait is s_barrier_wait.
func BarrierWait(i *encoding.Inst) encoding.Step {
	switch {
	case OfCluster(i):
		return Nothing(i)
	case OfNamed(i):
		return waitNamed(i)
	case i.Imm&0xffff != groupBarrier&0xffff:
		return nil
	}
	return asLast(i, func(w *wave.Wave) { w.Status = wave.AtBarrier }, wave.Running)
}

// OfCluster reports whether a signal or a wait is for the barrier of a cluster of workgroups, which GFX12.5 has. Here a
// cluster is one workgroup, whose waves meet at their own barrier before one of them signals that of the cluster.
func OfCluster(i *encoding.Inst) bool {
	const number = -3
	n := int16(i.Imm)
	if i.Enc == encoding.SOP1 {
		if i.Src[0].Kind != encoding.Const {
			return false
		}
		n = int16(i.Src[0].Value)
	}
	return i.Chip.Set() == encoding.GFX1250 && n == number
}

// BarrierState is s_get_barrier_state. A workgroup of one wave has no barrier, but for those with a number.
func BarrierState(i *encoding.Inst) encoding.Step {
	const valid, members, arrived = 1, 4, 16 // bits, and where numbers of waves begin
	d := i.Dst.Reg & wave.AllScalars
	if OfNamed(i) {
		number := NumberOfBarrier(i)
		return func(w *wave.Wave) {
			if b := w.Named(number(w)); b != nil {
				w.S[d] = valid | b.Expected<<members | b.Arrived<<arrived
			}
		}
	}
	if !ofGroup(i) {
		return nil
	}
	return func(w *wave.Wave) {
		w.S[d] = 0
		if b := w.Group; b != nil && b.Members > 1 {
			w.S[d] = valid | uint32(b.Members)<<members | uint32(b.Arrived)<<arrived
		}
	}
}

// ScalarLoadPart makes the meaning of a scalar load of one or two bytes; with buffer through a buffer resource, out
// of whose range there are zeros.
func ScalarLoadPart(size uint64, signed, buffer bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		s := BindScalarSpace(i, 0, &i.Dst)
		return func(w *wave.Wave) {
			device := (w.S64(s.Base) + s.Delta(w)) &^ (size - 1)
			if buffer {
				r := w.BufferResource(s.Base, s.Layout)
				end, at := r.Records, s.Delta(w)&^(size-1)
				if r.Stride != 0 {
					end *= r.Stride
				}
				if at+size > end {
					w.S[s.data&wave.AllScalars] = 0
					return
				}
				device = r.Base + at
			}
			addr, ok := w.Locate(device, size, false)
			if !ok {
				w.FailAccess(-1, device, false)
				return
			}
			v := uint32(memory.Load8(addr))
			if size == 2 {
				v = uint32(memory.Load16(addr))
			}
			if unused := 32 - 8*uint(size); signed {
				v = uint32(int32(v<<unused) >> unused)
			}
			w.S[s.data&wave.AllScalars] = v
		}
	}
}

// PermlaneVar is PermlaneRow with a lane's number in each lane of the second source.
func PermlaneVar(cross bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		d, s, by := int(i.Dst.Reg), int(i.Src[0].Reg), int(i.Src[1].Reg)
		fetch, zero := i.OpSel&1 != 0, i.OpSel&2 != 0
		return func(w *wave.Wave) {
			from, sel, to, exec := w.V[s], w.V[by], &w.V[d], w.Exec()
			for m := exec; m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				at := l&^15 | int(sel[l]&15)
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

// BpermuteFetch is Bpermute that reads inactive lanes, too.
func BpermuteFetch(i *encoding.Inst) encoding.Step {
	told, own := permuteReach(i)
	addr, data, d := BindRegisters(&i.Src[0]), BindRegisters(&i.Src[1]), BindRegisters(&i.Dst)
	offset := uint32(uint16(i.Imm))
	return func(w *wave.Wave) {
		a, from, to := addr.Of(w, 0), *data.Of(w, 0), d.Of(w, 0)
		for k := w.Exec(); k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			to[l] = from[((a[l]+offset)>>2&told|uint32(l)&own)&63]
		}
	}
}

// DotBytes makes a meaning of the sum of four products of numbers of 8 bits, and a single. It is exact, and rounded once
// to the nearest, as far as anybody has said; denormal singles are zeros on both sides.
func DotBytes(a, b matrix.Entry) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		c := *i
		c.Neg, c.Abs, c.NegHi, c.OpSel = 0, 0, 0, 0
		v := bindVector(&c, alu.F32, alu.U32, alu.U32, alu.U32)
		v.denorm = 0
		v.seal()
		x, y := matrix.BytesOf(a), matrix.BytesOf(b)
		clear, flip := uint32(i.NegHi>>2&1)<<31, uint32(i.Neg>>2&1)<<31
		return v.step3(func(d, a, b, c *alu.Lanes) {
			for l := range d {
				p, q, terms := a[l], b[l], [5]float64{}
				for n := range 4 {
					terms[n] = float64(alu.Float(x[p>>(8*n)&0xff])) * float64(alu.Float(y[q>>(8*n)&0xff]))
				}
				terms[4] = float64(alu.Float(matrix.Flushed(c[l]&^clear ^ flip)))
				d[l] = matrix.RoundWMMA(matrix.SumExact(terms[:]), matrix.EntryF32)
			}
		})
	}
}
