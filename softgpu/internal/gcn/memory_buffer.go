package gcn

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// bufferSpace is memory behind a buffer resource of four scalar registers.
type bufferSpace struct {
	addr          registers
	index, offset bool // which of the two the vector registers hold, index first
	resource      int
	scalar        scalar
	imm           uint64
}

// resource is a buffer resource, taken apart.
type resource struct {
	base, stride, records uint64
	swizzle, addLane      bool
	rowLanes              uint64 // index stride: how many elements a row of a swizzled buffer has
}

func (w *Wave) bufferResource(reg int) resource {
	a, b, c, d := w.S[reg&allScalars], w.S[(reg+1)&allScalars], w.S[(reg+2)&allScalars], w.S[(reg+3)&allScalars]
	r := resource{
		base:     uint64(a) | uint64(b&0xffff)<<32,
		stride:   uint64(b >> 16 & 0x3fff),
		records:  uint64(c),
		swizzle:  b>>31 != 0,
		addLane:  d>>23&1 != 0,
		rowLanes: 8 << (d >> 21 & 3),
	}
	if r.addLane {
		r.stride |= uint64(d>>15&15) << 14
	}
	return r
}

// element is the size in bytes of what a swizzled buffer interleaves.
const element = 4

// place returns where an offset of an element of a buffer is, from its base.
func (r *resource) place(index, offset uint64) uint64 {
	if !r.swizzle {
		return index*r.stride + offset
	}
	return (index/r.rowLanes*r.stride+offset&^(element-1))*r.rowLanes + index%r.rowLanes*element + offset&(element-1)
}

// outside tells whether size bytes at offset of an element are out of range.
// An instruction that gives an index counts the records of a buffer with a stride, others count bytes.
func (r *resource) outside(indexed bool, index, offset, scalar, size uint64) bool {
	if indexed && r.stride != 0 {
		return index >= r.records || r.swizzle && offset+size > r.stride
	}
	return offset+size+scalar > r.records
}

// vectors returns the lanes' indices and offsets: zeros where no register holds them.
func (s *bufferSpace) vectors(w *Wave) (index, offset *alu.Lanes) {
	index, offset = &alu.Zeros, &alu.Zeros
	n := 0
	if s.index {
		index, n = s.addr.of(w, 0), 1
	}
	if s.offset {
		offset = s.addr.of(w, n)
	}
	return index, offset
}

func (s *bufferSpace) resolve(w *Wave, m, size uint64, write bool) (valid, step uint64) {
	r := w.bufferResource(s.resource)
	scalar := uint64(s.scalar.u32(w))
	step = memory.Linear
	if r.swizzle {
		step = element * r.rowLanes
	}
	base, bounded := r.base+scalar, !(r.swizzle && r.addLane)
	low, high, split := ^uint64(0), uint64(0), false
	x, y := s.vectors(w)
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		index, offset := uint64(x[l]), uint64(y[l])+s.imm
		if r.addLane {
			index += uint64(l)
		}
		if bounded && r.outside(s.index, index, offset, scalar, size) {
			continue
		}
		if r.swizzle && offset&3+min(size, 4) > 4 {
			split = true
		}
		a := base + r.place(index, offset)
		w.addr[l] = a
		valid |= 1 << uint(l)
		low, high = min(low, a), max(high, a)
	}
	if split {
		for k := valid; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			w.addr[l] = alu.Join(y[l], x[l]) + s.imm
		}
		return valid, 0
	}
	reach := size
	if size > 4 {
		reach = (size/4-1)*step + 4
	}
	if r.swizzle && r.addLane && w.overflows(valid, r.base, high+reach) || !w.reachLanes(valid, low, high, reach, write) {
		return 0, step
	}
	return valid, step
}

// byteAt takes the index in the upper half of off.
func (s *bufferSpace) byteAt(w *Wave, lane int, off uint64) uint64 {
	r := w.bufferResource(s.resource)
	index := off >> 32
	if r.addLane {
		index += uint64(lane)
	}
	return r.base + uint64(s.scalar.u32(w)) + r.place(index, off&(1<<32-1))
}

// cut tells whether the end of the buffer lies within some lane's access of size
// bytes. Such an access is checked word by word (CDNA3 ISA, "Range Checking").
func (s *bufferSpace) cut(w *Wave, m, size uint64) bool {
	r := w.bufferResource(s.resource)
	if size <= 4 || r.swizzle || s.index && r.stride != 0 {
		return false
	}
	_, y := s.vectors(w)
	for from := s.imm + uint64(s.scalar.u32(w)); m != 0; m &= m - 1 {
		if at := from + uint64(y[bits.TrailingZeros64(m)&63]); at+4 <= r.records && at+size > r.records {
			return true
		}
	}
	return false
}

// words are the words of an access of size bytes, as accesses of their own.
func (s *bufferSpace) words(size uint64) []*bufferSpace {
	var all []*bufferSpace
	for at := uint64(0); at < size; at += 4 {
		word := *s
		word.imm += at
		all = append(all, &word)
	}
	return all
}

// loadWords is load for words that are in range or not by themselves. All addresses
// are known before a register is written.
func loadWords(w *Wave, words []*bufferSpace, d registers) {
	var addr [4][64]uint64
	var valid [4]uint64
	for n, s := range words {
		if valid[n], _ = s.resolve(w, w.Exec(), 4, false); w.Status == Faulted {
			return
		}
		addr[n] = w.addr
	}
	for n := range words {
		w.addr = addr[n]
		dword.load(w, d.word(n), valid[n], w.Exec()&^valid[n], memory.Linear)
	}
}

// storeWords is store for such words.
func storeWords(w *Wave, words []*bufferSpace, from registers) {
	for n, s := range words {
		valid, _ := s.resolve(w, w.Exec(), 4, true)
		dword.store(w, from.word(n), valid, memory.Linear)
	}
}

// bindBuffer finds the operands by the resource, the only one of four scalar
// registers: the vector address is before it, the scalar offset after it.
func bindBuffer(i *Inst) *bufferSpace {
	n := 1
	for n < 2 && (i.Src[n].Kind != SReg || i.Src[n].Width != 4) {
		n++
	}
	return &bufferSpace{
		addr: bindRegisters(&i.Src[n-1]), index: i.IdxEn, offset: i.OffEn,
		resource: int(i.Src[n].Reg), scalar: bindScalar(&i.Src[n+1], alu.U32), imm: uint64(i.Imm),
	}
}

// row returns where the first lane's word is if all lanes mean the same offset
// of private memory, so that their words are a row. A fault or any other access gives false.
func (s *bufferSpace) row(w *Wave, size uint64, write bool) (addr uint64, ok bool) {
	r := w.bufferResource(s.resource)
	if s.index || s.offset || !r.swizzle || !r.addLane || r.rowLanes != 64 || s.imm&3 != 0 || size < 4 {
		return 0, false
	}
	addr = r.base + uint64(s.scalar.u32(w)) + s.imm*64
	if r.base == w.ScratchBase && addr+size/4*wordRow > w.ScratchEnd && w.ScratchEnd != 0 {
		return 0, false // a fault is each lane's
	}
	return addr, addr&3 == 0 && w.reach(addr, size/4*wordRow, write)
}

func bufferLoad(t width) Meaning {
	return func(i *Inst) Step {
		switch {
		case i.TFE:
			return nil
		case i.LDS:
			return stepToLDS(bindBuffer(i), t, i)
		}
		b, d := bindBuffer(i), bindRegisters(&i.Dst)
		each, words := stepLoad(b, t, d), b.words(t.bytes)
		return func(w *Wave) {
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
				memory.TakeRow(d.of(w, int(n)), memory.Row32(addr+n*wordRow), m)
			}
		}
	}
}

func bufferStore(t width) Meaning {
	return func(i *Inst) Step {
		if i.TFE {
			return nil
		}
		b, from := bindBuffer(i), bindRegisters(&i.Src[0])
		each, words := stepStore(b, t, from), b.words(t.bytes)
		return func(w *Wave) {
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
				memory.TakeRow(memory.Row32(addr+n*wordRow), from.of(w, int(n)), m)
			}
		}
	}
}

func bufferAtomic(op *memory.AtomicOp, words int) Meaning {
	return func(i *Inst) Step { return stepAtomic(bindBuffer(i), op, words, atomicData(i, 0, words)) }
}
