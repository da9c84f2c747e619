package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// operands are the registers of an atomic: cmp and result may be missing (count 0).
type operands struct{ data, cmp, result wave.Registers }

// stepAtomic updates one word of words (1 or 2) registers for each lane, in the order of lanes.
func stepAtomic(s wave.Space, op *memory.AtomicOp, words int, o operands) encoding.Step {
	each := eachAtomic(s, op.Next, words, o)
	b, ok := s.(based)
	if !ok || words != 1 || o.cmp.Count != 0 {
		return each
	}
	update := op.Words
	if update == nil {
		update = func(old, off, data *alu.Lanes, base uint64, lanes int) {
			memory.AnyWord(old, off, data, base, lanes, op.Next)
		}
	}
	_, local := s.(*ldsSpace)
	return func(w *wave.Wave) {
		lanes := alu.FirstLanes(w.Exec())
		if lanes == 0 {
			each(w)
			return
		}
		base, off, shape := b.base(w, lanes, 4, true)
		if shape == memory.Shapeless || !memory.Aligned(off, base, shape, lanes) {
			each(w)
			return
		}
		data, old := o.data.Of(w, 0), &w.Temp[3][0]
		if o.result.Count != 0 {
			old = o.result.Of(w, 0)
		}
		switch {
		case local && shape == memory.InRow && lanes == 64 && op.Row != nil:
			row, before := memory.Row32(base+uint64(off[0])), &w.Temp[3][1]
			*before = *row
			op.Row(row, before, data)
			*old = *before
		case local: // other waves of the workgroup do not run meanwhile
			update(old, off, data, base, lanes)
		case shape == memory.InOne:
			memory.UpdateOne(&w.Temp[3][1], data, &w.Temp[2][1], base+uint64(off[0]), lanes, update)
			copy(old[:lanes], w.Temp[3][1][:lanes])
		case shape == memory.InRow && (base+uint64(off[0]))&7 == 0:
			memory.SharedRow(old, data, base+uint64(off[0]), lanes, op.Next)
		default:
			memory.SharedWord(old, off, data, base, lanes, op.Next)
		}
	}
}

// eachAtomic is stepAtomic for all spaces, operands and lanes.
func eachAtomic(s wave.Space, f memory.AtomicFunc, words int, o operands) encoding.Step {
	size := uint64(words) * 4
	return func(w *wave.Wave) {
		m := w.Exec()
		valid, step := s.Resolve(w, m, size, true)
		if w.Status == wave.Faulted {
			return
		}
		if step == 0 || words == 2 && step != memory.Linear && valid != 0 {
			w.Fail("atomic access to swizzled memory that is not one aligned word", -1, 0)
			return
		}
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			var old uint64
			if valid>>uint(l)&1 != 0 {
				if w.Addr[l]&(size-1) != 0 {
					w.Fail(memory.UnalignedAtomic, l, w.Addr[l])
					return
				}
				data, cmp := o.data.Value(w, l, words), uint64(0)
				if o.cmp.Count != 0 {
					cmp = o.cmp.Value(w, l, words)
				}
				if words == 1 {
					old = memory.Update32(w.Addr[l], func(old uint64) uint64 { return f(old, data, cmp) })
				} else {
					old = memory.Update64(w.Addr[l], func(old uint64) uint64 { return f(old, data, cmp) })
				}
			}
			if o.result.Count != 0 {
				o.result.Of(w, 0)[l] = uint32(old)
				if words == 2 {
					o.result.Of(w, 1)[l] = uint32(old >> 32)
				}
			}
		}
	}
}
