package gcn

import (
	"fmt"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// globalSpace is memory addressed by 64-bit pointers, or by a scalar pointer and a 32-bit offset.
type globalSpace struct {
	addr   registers
	scalar int // register pair with the base; -1: none
	offset uint64
}

func (g *globalSpace) resolve(w *Wave, m, size uint64, write bool) (valid, step uint64) {
	low, high := ^uint64(0), uint64(0)
	lo := g.addr.of(w, 0)
	hi, base := &alu.Zeros, g.offset
	if g.scalar >= 0 {
		base += w.s64(g.scalar)
	} else {
		hi = g.addr.of(w, 1)
	}
	addr := &w.addr
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		a := alu.Join(lo[l], hi[l]) + base
		addr[l] = a
		low, high = min(low, a), max(high, a)
	}
	if !w.reachLanes(m, low, high, size, write) {
		return 0, memory.Linear
	}
	return m, memory.Linear
}

// base serves addresses whose upper halves are the same.
func (g *globalSpace) base(w *Wave, size uint64, write bool) (base uint64, off *alu.Lanes, shape uint8) {
	lo, hi := g.addr.of(w, 0), &alu.Zeros
	base = g.offset
	if g.scalar >= 0 {
		base += w.s64(g.scalar)
	} else {
		hi = g.addr.of(w, 1)
		base += uint64(hi[0]) << 32
	}
	low, high, shape := memory.SpanOf(lo, hi)
	if shape == memory.Shapeless {
		return 0, nil, memory.Shapeless
	}
	return base, lo, memory.ShapeIf(w.spanKnown(base+uint64(low), uint64(high-low)+size, write), shape)
}

// bindGlobal finds the address operands: the vector address is the first
// source, the scalar one the last that there is.
func bindGlobal(i *Inst) *globalSpace {
	g := &globalSpace{addr: bindRegisters(&i.Src[0]), scalar: -1, offset: uint64(int64(i.Imm))}
	if s := scalarAddress(i); s != nil {
		g.scalar = int(s.Reg)
	}
	return g
}

func scalarAddress(i *Inst) *Operand {
	for n := 1; n < len(i.Src); n++ {
		if i.Src[n].Kind == SReg {
			return &i.Src[n]
		}
	}
	return nil
}

func globalLoad(t width) Meaning {
	return func(i *Inst) Step {
		if i.LDS {
			return nil
		}
		g, d := bindGlobal(i), bindRegisters(&i.Dst)
		return asGlobalRow(i, stepLoad(g, t, d), g, t, d, false)
	}
}

func globalStore(t width) Meaning {
	return func(i *Inst) Step {
		g, d := bindGlobal(i), bindRegisters(&i.Src[1])
		return asGlobalRow(i, stepStore(g, t, d), g, t, d, true)
	}
}

// atomicData finds the data of an atomic whose data registers are source n:
// those of a compare-and-swap are the new value, then the one to compare with.
func atomicData(i *Inst, n, words int) operands {
	o := operands{data: bindRegisters(&i.Src[n])}
	if o.data.count == 2*words {
		o.cmp = o.data
		o.cmp.at += words
	}
	if i.Dst.Kind != NoOperand {
		o.result = bindRegisters(&i.Dst)
	}
	return o
}

func globalAtomic(op *memory.AtomicOp, words int) Meaning {
	return func(i *Inst) Step { return stepAtomic(bindGlobal(i), op, words, atomicData(i, 1, words)) }
}

// scratchSpace is a wave's private memory from flat_scratch on: the words of
// the 64 lanes lie next to each other.
type scratchSpace struct {
	addr   registers // count 0: no vector offset
	scalar int       // register with an offset; -1: none
	offset uint32
	base   int // first register of flat_scratch
}

// wordRow is the distance of a lane's consecutive words in private memory.
const wordRow = 64 * 4

// swizzled returns where byte off of a lane's private memory is.
func swizzled(base, off uint64, lane int) uint64 {
	return base + off>>2*wordRow + uint64(lane)*4 + off&3
}

func (s *scratchSpace) resolve(w *Wave, m, size uint64, write bool) (valid, step uint64) {
	off := s.offset
	if s.scalar >= 0 {
		off += w.S[s.scalar&allScalars]
	}
	from := &alu.Zeros
	if s.addr.count != 0 {
		from = s.addr.of(w, 0)
	}
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		w.addr[l] = uint64(from[l] + off)
	}
	return w.privateLanes(s.base, m, size, write)
}

// privateLanes turns the private offsets in w.addr to addresses, if they are aligned. scratch is
// the first register of flat_scratch.
func (w *Wave) privateLanes(scratch int, m, size uint64, write bool) (valid, step uint64) {
	for k := m; k != 0; k &= k - 1 {
		if l := bits.TrailingZeros64(k) & 63; w.addr[l]&3+min(size, 4) > 4 {
			return m, 0
		}
	}
	base := w.s64(scratch)
	low, high := ^uint64(0), uint64(0)
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		a := swizzled(base, w.addr[l], l)
		w.addr[l] = a
		low, high = min(low, a), max(high, a)
	}
	reach := min(size, 4)
	if size > 4 {
		reach += (size/4 - 1) * wordRow
	}
	if w.overflows(m, base, high+reach) || !w.reachLanes(m, low, high, reach, write) {
		return 0, wordRow
	}
	return m, wordRow
}

// overflows fails an access to a wave's scratch that goes on to end, which is behind
// the scratch's own. base is where the access's memory begins: others are not bounded.
func (w *Wave) overflows(m, base, end uint64) bool {
	if end <= w.ScratchEnd || w.ScratchEnd == 0 || base != w.ScratchBase || m == 0 {
		return false
	}
	lane := bits.TrailingZeros64(m) & 63
	for k := m; k != 0; k &= k - 1 {
		if l := bits.TrailingZeros64(k) & 63; w.addr[l] > w.addr[lane] {
			lane = l
		}
	}
	w.fail(fmt.Sprintf("stack overflow: a work-item has %d bytes of private memory", (w.ScratchEnd-w.ScratchBase)/64), lane, w.addr[lane])
	return true
}

func (s *scratchSpace) byteAt(w *Wave, lane int, off uint64) uint64 {
	return swizzled(w.s64(s.base), off, lane)
}

func bindScratch(i *Inst) *scratchSpace {
	s := &scratchSpace{scalar: -1, offset: uint32(i.Imm), base: i.Chip.Set().FlatScratch()}
	if i.Src[0].Kind == VReg {
		s.addr = bindRegisters(&i.Src[0])
	}
	if a := scalarAddress(i); a != nil {
		s.scalar = int(a.Reg)
	}
	return s
}

func scratchLoad(t width) Meaning {
	return func(i *Inst) Step {
		if i.LDS {
			return nil
		}
		return stepLoad(bindScratch(i), t, bindRegisters(&i.Dst))
	}
}

func scratchStore(t width) Meaning {
	return func(i *Inst) Step { return stepStore(bindScratch(i), t, bindRegisters(&i.Src[1])) }
}

func globalToLDSLoad(t width) Meaning {
	return func(i *Inst) Step { return stepToLDS(bindGlobal(i), t, i) }
}

func scratchToLDSLoad(t width) Meaning {
	return func(i *Inst) Step { return stepToLDS(bindScratch(i), t, i) }
}
