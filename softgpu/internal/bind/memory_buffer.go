package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// BufferSpace is the memory of a buffer resource of four scalar registers.
type BufferSpace struct {
	addr          wave.Registers
	Index, Offset bool // which of the two the vector registers hold, index first
	Resource      int
	Layout        wave.ResourceLayout
	Scalar        scalar
	Imm           uint64
}

// Vectors returns the lanes' indices and offsets: zeros where no register holds them.
func (s *BufferSpace) Vectors(w *wave.Wave) (index, offset *alu.Lanes) {
	index, offset = &alu.Zeros, &alu.Zeros
	n := 0
	if s.Index {
		index, n = s.addr.Of(w, 0), 1
	}
	if s.Offset {
		offset = s.addr.Of(w, n)
	}
	return index, offset
}

// ScalarOffset returns the scalar offset in bytes. That of private memory counts the bytes of all
// lanes of the wave, where rows have room for 64 lanes in any.
func (s *BufferSpace) ScalarOffset(w *wave.Wave, private bool) uint64 {
	v := uint64(s.Scalar.U32(w))
	if private && w.Lanes() == 32 {
		v *= 2
	}
	return v
}

// Resolve finds the memory that the active lanes mean.
func (s *BufferSpace) Resolve(w *wave.Wave, m, size uint64, write bool) (valid, step uint64) {
	r := w.BufferResource(s.Resource, s.Layout)
	scalar := s.ScalarOffset(w, r.Private())
	step = memory.Linear
	if r.Refused {
		w.Fail("a buffer resource with elements of 8 or 16 bytes, which is not executed", -1, r.Base)
		return 0, step
	}
	if r.Swizzle {
		step = wave.Element * r.RowLanes
	}
	base, bounded := r.Base+scalar, !r.Private()
	low, high, split := ^uint64(0), uint64(0), false
	x, y := s.Vectors(w)
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		index, offset := uint64(x[l]), uint64(y[l])+s.Imm
		if !bounded { // LLVM adds constants to addresses below zero
			offset &= 1<<32 - 1
		}
		if r.AddLane {
			index += uint64(l)
		}
		if bounded && r.Outside(s.Index, index, offset, scalar, size) {
			continue
		}
		if r.Swizzle && offset&3+min(size, 4) > 4 {
			split = true
		}
		a := base + r.Place(index, offset)
		w.Addr[l] = a
		valid |= 1 << uint(l)
		low, high = min(low, a), max(high, a)
	}
	if split {
		for k := valid; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			w.Addr[l] = alu.Join(y[l], x[l]) + s.Imm
			if !bounded {
				w.Addr[l] = alu.Join(y[l]+uint32(s.Imm), x[l])
			}
		}
		return valid, 0
	}
	reach := size
	if size > 4 {
		reach = (size/4-1)*step + 4
	}
	if r.Private() && w.Overflows(valid, r.Base, high+reach) || !w.ReachLanes(valid, low, high, reach, write) {
		return 0, step
	}
	return valid, step
}

// ByteAt takes the index in the upper half of off.
func (s *BufferSpace) ByteAt(w *wave.Wave, lane int, off uint64) uint64 {
	r := w.BufferResource(s.Resource, s.Layout)
	index := off >> 32
	if r.AddLane {
		index += uint64(lane)
	}
	return r.Base + s.ScalarOffset(w, r.Private()) + r.Place(index, off&(1<<32-1))
}

// cut reports whether the end of the buffer lies within some lane's access of size
// bytes. Such an access is checked word by word (CDNA3 ISA, "Range Checking").
func (s *BufferSpace) cut(w *wave.Wave, m, size uint64) bool {
	r := w.BufferResource(s.Resource, s.Layout)
	if size <= 4 || r.Check != wave.CheckGFX9 || r.Swizzle || s.Index && r.Stride != 0 {
		return false
	}
	_, y := s.Vectors(w)
	for from := s.Imm + uint64(s.Scalar.U32(w)); m != 0; m &= m - 1 {
		if at := from + uint64(y[bits.TrailingZeros64(m)&63]); at+4 <= r.Records && at+size > r.Records {
			return true
		}
	}
	return false
}

// words are the words of an access of size bytes, as accesses of their own.
func (s *BufferSpace) words(size uint64) []*BufferSpace {
	var all []*BufferSpace
	for at := uint64(0); at < size; at += 4 {
		word := *s
		word.Imm += at
		all = append(all, &word)
	}
	return all
}

// loadWords is load for words that are in range or not by themselves. All addresses
// are known before a register is written.
func loadWords(w *wave.Wave, words []*BufferSpace, d wave.Registers) {
	var addr [4][64]uint64
	var valid [4]uint64
	for n, s := range words {
		if valid[n], _ = s.Resolve(w, w.Exec(), 4, false); w.Status == wave.Faulted {
			return
		}
		addr[n] = w.Addr
	}
	for n := range words {
		w.Addr = addr[n]
		Dword.load(w, d.Word(n), valid[n], w.Exec()&^valid[n], memory.Linear)
	}
}

// storeWords is store for such words.
func storeWords(w *wave.Wave, words []*BufferSpace, from wave.Registers) {
	for n, s := range words {
		valid, _ := s.Resolve(w, w.Exec(), 4, true)
		Dword.store(w, from.Word(n), valid, memory.Linear)
	}
}

// BindBuffer finds the operands by the resource, the only one of four scalar
// registers: the vector address is before it, the scalar offset after it.
func BindBuffer(i *encoding.Inst) *BufferSpace {
	n := 1
	for n < 2 && (i.Src[n].Kind != encoding.SReg || i.Src[n].Width != 4) {
		n++
	}
	return &BufferSpace{
		addr: BindRegisters(&i.Src[n-1]), Index: i.IdxEn, Offset: i.OffEn,
		Resource: int(i.Src[n].Reg), Layout: i.Chip.Set().Facts().Resource, Scalar: bindScalar(&i.Src[n+1], alu.U32), Imm: uint64(i.Imm),
	}
}

// row returns the address of the first lane's word if all lanes access the same offset of private memory: their words
// then follow each other. ok is false for other accesses and for faults.
func (s *BufferSpace) row(w *wave.Wave, size uint64, write bool) (addr uint64, ok bool) {
	r := w.BufferResource(s.Resource, s.Layout)
	if s.Index || s.Offset || !r.Private() || r.RowLanes != 64 || s.Imm&3 != 0 || size < 4 {
		return 0, false
	}
	addr = r.Base + s.ScalarOffset(w, true) + s.Imm*64
	if r.Base == w.ScratchBase && addr+size/4*wave.WordRow > w.ScratchEnd && w.ScratchEnd != 0 {
		return 0, false // a fault is each lane's
	}
	return addr, addr&3 == 0 && w.Reach(addr, size/4*wave.WordRow, write)
}

// BufferLoad binds buffer_load_dword and its like.
func BufferLoad(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		switch {
		case i.TFE:
			return nil
		case i.LDS:
			return stepToLDS(BindBuffer(i), t, i)
		}
		b, d := BindBuffer(i), BindRegisters(&i.Dst)
		each, words := stepLoad(b, t.on(i), d), b.words(t.bytes)
		return func(w *wave.Wave) {
			addr, ok := b.row(w, t.bytes, false)
			if !ok {
				if b.cut(w, w.Exec(), t.bytes) {
					loadWords(w, words, d)
				} else {
					each(w)
				}
				return
			}
			m := w.Exec()
			for n := uint64(0); n < t.bytes/4; n++ {
				memory.TakeRow(d.Of(w, int(n)), memory.Row32(addr+n*wave.WordRow), m)
			}
		}
	}
}

// BufferStore binds buffer_store_byte and its like.
func BufferStore(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.TFE {
			return nil
		}
		b, from := BindBuffer(i), BindRegisters(&i.Src[0])
		each, words := stepStore(b, t, from), b.words(t.bytes)
		return func(w *wave.Wave) {
			addr, ok := b.row(w, t.bytes, true)
			if !ok {
				if b.cut(w, w.Exec(), t.bytes) {
					storeWords(w, words, from)
				} else {
					each(w)
				}
				return
			}
			m := w.Exec()
			for n := uint64(0); n < t.bytes/4; n++ {
				memory.TakeRow(memory.Row32(addr+n*wave.WordRow), from.Of(w, int(n)), m)
			}
		}
	}
}

// BufferAtomic binds buffer_atomic_or and its like.
func BufferAtomic(op *memory.AtomicOp, words int) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		return stepAtomic(BindBuffer(i), op, words, atomicData(i, 0, words))
	}
}
