package gcn

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// operands are the registers of an atomic: cmp and result may be missing (count 0).
type operands struct{ data, cmp, result registers }

// stepAtomic updates one word of words (1 or 2) registers for each lane, in the order of lanes.
func stepAtomic(s space, op *memory.AtomicOp, words int, o operands) Step {
	each := eachAtomic(s, op.Next, words, o)
	b, ok := s.(based)
	if !ok || words != 1 || o.cmp.count != 0 {
		return each
	}
	update := op.Words
	if update == nil {
		update = func(old, off, data *alu.Lanes, base uint64) { memory.AnyWord(old, off, data, base, op.Next) }
	}
	_, local := s.(*ldsSpace)
	return func(w *Wave) {
		if w.Exec() != alu.Full {
			each(w)
			return
		}
		base, off, shape := b.base(w, 4, true)
		if shape == memory.Shapeless || !memory.Aligned(off, base, shape) {
			each(w)
			return
		}
		data, old := o.data.of(w, 0), &w.tmp[3][0]
		if o.result.count != 0 {
			old = o.result.of(w, 0)
		}
		switch {
		case local: // other waves of the workgroup do not run meanwhile
			update(old, off, data, base)
		case shape == memory.InOne:
			memory.UpdateOne(&w.tmp[3][1], data, &w.tmp[2][1], base+uint64(off[0]), update)
			*old = w.tmp[3][1]
		case shape == memory.InRow && (base+uint64(off[0]))&7 == 0:
			memory.SharedRow(old, data, base+uint64(off[0]), op.Next)
		default:
			memory.SharedWord(old, off, data, base, op.Next)
		}
	}
}

// eachAtomic is stepAtomic for all spaces, operands and lanes.
func eachAtomic(s space, f memory.AtomicFunc, words int, o operands) Step {
	size := uint64(words) * 4
	return func(w *Wave) {
		m := w.Exec()
		valid, step := s.resolve(w, m, size, true)
		if w.Status == Faulted {
			return
		}
		if step == 0 || words == 2 && step != memory.Linear && valid != 0 {
			w.fail("atomic access to swizzled memory that is not one aligned word", -1, 0)
			return
		}
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			var old uint64
			if valid>>uint(l)&1 != 0 {
				if w.addr[l]&(size-1) != 0 {
					w.fail(memory.UnalignedAtomic, l, w.addr[l])
					return
				}
				data, cmp := o.data.value(w, l, words), uint64(0)
				if o.cmp.count != 0 {
					cmp = o.cmp.value(w, l, words)
				}
				if words == 1 {
					old = memory.Update32(w.addr[l], func(old uint64) uint64 { return f(old, data, cmp) })
				} else {
					old = memory.Update64(w.addr[l], func(old uint64) uint64 { return f(old, data, cmp) })
				}
			}
			if o.result.count != 0 {
				o.result.of(w, 0)[l] = uint32(old)
				if words == 2 {
					o.result.of(w, 1)[l] = uint32(old >> 32)
				}
			}
		}
	}
}

func (r registers) value(w *Wave, lane, words int) uint64 {
	v := uint64(r.of(w, 0)[lane])
	if words == 2 {
		v |= uint64(r.of(w, 1)[lane]) << 32
	}
	return v
}
