package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// GlobalSpace is memory addressed by 64-bit pointers, or by a scalar pointer and a 32-bit offset.
type GlobalSpace struct {
	Addr   wave.Registers
	Scalar int // register pair with the base; -1: none
	Offset uint64
}

// Resolve finds the memory that the active lanes mean.
func (g *GlobalSpace) Resolve(w *wave.Wave, m, size uint64, write bool) (valid, step uint64) {
	low, high := ^uint64(0), uint64(0)
	lo := g.Addr.Of(w, 0)
	hi, base := &alu.Zeros, g.Offset
	if g.Scalar >= 0 {
		base += w.S64(g.Scalar)
	} else {
		hi = g.Addr.Of(w, 1)
	}
	addr := &w.Addr
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		a := alu.Join(lo[l], hi[l]) + base
		addr[l] = a
		low, high = min(low, a), max(high, a)
	}
	if !w.ReachLanes(m, low, high, size, write) {
		return 0, memory.Linear
	}
	return m, memory.Linear
}

// base serves addresses whose upper halves are the same.
func (g *GlobalSpace) base(w *wave.Wave, lanes int, size uint64, write bool) (base uint64, off *alu.Lanes, shape uint8) {
	lo, hi := g.Addr.Of(w, 0), &alu.Zeros
	base = g.Offset
	if g.Scalar >= 0 {
		base += w.S64(g.Scalar)
	} else {
		hi = g.Addr.Of(w, 1)
		base += uint64(hi[0]) << 32
	}
	low, high, shape := memory.SpanOf(lo, hi, lanes)
	if shape == memory.Shapeless {
		return 0, nil, memory.Shapeless
	}
	return base, lo, memory.ShapeIf(w.SpanKnown(base+uint64(low), uint64(high-low)+size, write), shape)
}

// BindGlobal finds the address operands: the vector address is the first source, the scalar address the last one.
func BindGlobal(i *encoding.Inst) *GlobalSpace {
	g := &GlobalSpace{Addr: BindRegisters(&i.Src[0]), Scalar: -1, Offset: uint64(int64(i.Imm))}
	if s := scalarAddress(i); s != nil {
		g.Scalar = int(s.Reg)
	}
	return g
}

func scalarAddress(i *encoding.Inst) *encoding.Operand {
	for n := 1; n < len(i.Src); n++ {
		if i.Src[n].Kind == encoding.SReg {
			return &i.Src[n]
		}
	}
	return nil
}

// GlobalLoad binds global_load_dword and its like.
func GlobalLoad(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.LDS {
			return nil
		}
		g, d := BindGlobal(i), BindRegisters(&i.Dst)
		return asGlobalRow(i, stepLoad(g, t.on(i), d), g, t, d, false)
	}
}

// GlobalStore binds global_store_byte and its like.
func GlobalStore(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		g, d := BindGlobal(i), BindRegisters(&i.Src[1])
		return asGlobalRow(i, stepStore(g, t, d), g, t, d, true)
	}
}

// atomicData finds the data of an atomic whose data registers are source n:
// those of a compare-and-swap are the new value, then the one to compare with.
func atomicData(i *encoding.Inst, n, words int) operands {
	o := operands{data: BindRegisters(&i.Src[n])}
	if o.data.Count == 2*words {
		o.cmp = o.data
		o.cmp.At += words
	}
	if i.Dst.Kind != encoding.NoOperand {
		o.result = BindRegisters(&i.Dst)
	}
	return o
}

// GlobalAtomic binds global_atomic_or and its like.
func GlobalAtomic(op *memory.AtomicOp, words int) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		return stepAtomic(BindGlobal(i), op, words, atomicData(i, 1, words))
	}
}

// ScratchSpace is a wave's private memory from flat_scratch on: the words of
// the 64 lanes lie next to each other.
type ScratchSpace struct {
	Addr   wave.Registers // count 0: no vector offset
	Scalar int            // register with an offset; -1: none
	Offset uint32
	base   int // first register of flat_scratch
}

// Resolve finds the memory that the active lanes mean.
func (s *ScratchSpace) Resolve(w *wave.Wave, m, size uint64, write bool) (valid, step uint64) {
	off := s.Offset
	if s.Scalar >= 0 {
		off += w.S[s.Scalar&wave.AllScalars]
	}
	from := &alu.Zeros
	if s.Addr.Count != 0 {
		from = s.Addr.Of(w, 0)
	}
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		w.Addr[l] = uint64(from[l] + off)
	}
	return w.PrivateLanes(s.base, m, size, write)
}

// ByteAt is the address of a byte of an access that is not aligned.
func (s *ScratchSpace) ByteAt(w *wave.Wave, lane int, off uint64) uint64 {
	return wave.Swizzled(w.S64(s.base), off, lane)
}

// BindScratch binds the address of an access to scratch.
func BindScratch(i *encoding.Inst) *ScratchSpace {
	s := &ScratchSpace{Scalar: -1, Offset: uint32(i.Imm), base: i.Chip.Set().FlatScratch()}
	if i.Src[0].Kind != encoding.NoOperand && i.Src[0].Kind != encoding.SReg {
		s.Addr = BindRegisters(&i.Src[0])
	}
	if a := scalarAddress(i); a != nil {
		s.Scalar = int(a.Reg)
	}
	return s
}

// ScratchLoad binds scratch_load_dword and its like.
func ScratchLoad(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.LDS {
			return nil
		}
		return stepLoad(BindScratch(i), t.on(i), BindRegisters(&i.Dst))
	}
}

// ScratchStore binds scratch_store_byte and its like.
func ScratchStore(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return stepStore(BindScratch(i), t, BindRegisters(&i.Src[1])) }
}

// GlobalToLDSLoad binds global_load_lds_ubyte and its like.
func GlobalToLDSLoad(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return stepToLDS(BindGlobal(i), t, i) }
}

// ScratchToLDSLoad binds scratch_load_lds_ubyte and its like.
func ScratchToLDSLoad(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return stepToLDS(BindScratch(i), t, i) }
}
