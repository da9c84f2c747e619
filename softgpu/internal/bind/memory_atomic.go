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
	switch {
	case !ok:
		return each
	case words == 2:
		return stepWideAtomic(b, op, o, each)
	}
	_, local := s.(*ldsSpace)
	return func(w *wave.Wave) {
		lanes, base, off, shape, ok := alignedWords(b, w, 4)
		if !ok {
			each(w)
			return
		}
		var a memory.Atomic // filled in place: a processor is slow to copy what has just been stored in smaller pieces
		a.Op, a.Off, a.Data, a.Temp = op, off, o.data.Of(w, 0), (*[2]alu.Pair)(w.Temp[2:])
		a.Base, a.Lanes = base, lanes
		if o.cmp.Count != 0 {
			a.Cmp = o.cmp.Of(w, 0)
		}
		if o.result.Count != 0 {
			a.Old = o.result.Of(w, 0)
		}
		if local { // other waves of the workgroup do not run meanwhile
			a.Alone(shape)
		} else {
			a.Shared(shape)
		}
	}
}

// stepWideAtomic is stepAtomic for two words, by each where the lanes' addresses do not have one base.
func stepWideAtomic(b based, op *memory.AtomicOp, o operands, each encoding.Step) encoding.Step {
	return func(w *wave.Wave) {
		lanes, base, off, shape, ok := alignedWords(b, w, 8)
		if !ok {
			each(w)
			return
		}
		var a memory.WideAtomic
		a.Op, a.Off, a.Base, a.Lanes, a.Temp = op, off, base, lanes, &w.Temp[3]
		a.Data[0], a.Data[1] = o.data.Of(w, 0), o.data.Of(w, 1)
		a.Cmp[0], a.Cmp[1] = &alu.Zeros, &alu.Zeros
		if o.cmp.Count != 0 {
			a.Cmp[0], a.Cmp[1] = o.cmp.Of(w, 0), o.cmp.Of(w, 1)
		}
		if o.result.Count != 0 {
			a.Old[0], a.Old[1] = o.result.Of(w, 0), o.result.Of(w, 1)
		}
		a.Shared(shape)
	}
}

// alignedWords finds the addresses of a wave's first lanes for atomics of some bytes. It returns false where they do not
// have one base, are not aligned, or other lanes are active.
func alignedWords(b based, w *wave.Wave, size uint64) (lanes int, base uint64, off *alu.Lanes, shape uint8, ok bool) {
	if lanes = alu.FirstLanes(w.Exec()); lanes == 0 {
		return 0, 0, nil, 0, false
	}
	base, off, shape = b.base(w, lanes, size, true)
	return lanes, base, off, shape, shape != memory.Shapeless && memory.Aligned(off, base, shape, lanes, size)
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
