package memory

import (
	"sync/atomic"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Update32 atomically replaces a word by f of it, and returns the old value. addr is aligned.
func Update32(addr uint64, f func(old uint64) uint64) uint64 {
	p := (*uint32)(at(addr))
	for {
		old := atomic.LoadUint32(p)
		if atomic.CompareAndSwapUint32(p, old, uint32(f(uint64(old)))) {
			return uint64(old)
		}
	}
}

// Update64 atomically replaces a number in memory by f of it.
func Update64(addr uint64, f func(old uint64) uint64) uint64 {
	p := (*uint64)(at(addr))
	for {
		old := atomic.LoadUint64(p)
		if atomic.CompareAndSwapUint64(p, old, f(old)) {
			return old
		}
	}
}

// An Atomic is an instruction's operation on a word for each of the first lanes. The words are Off after Base and
// aligned.
type Atomic struct {
	Op *AtomicOp
	// Old gets the old values. It may be any of the other registers, or nil.
	Old       *alu.Lanes
	Off       *alu.Lanes
	Data, Cmp *alu.Lanes // Cmp is nil if the operation has no use of it
	Base      uint64
	Lanes     int
	Temp      *[2]alu.Pair // on the heap, where it does not move
}

// Alone updates words that no other thread writes meanwhile.
//
//go:norace
func (a *Atomic) Alone(shape uint8) {
	old := a.Old
	if old == nil {
		old = &a.Temp[0][0]
	}
	switch {
	case shape == InRow && a.Op.Row != nil:
		addr, before := a.Base+uint64(a.Off[0]), &a.Temp[0][0]
		copyLanes(before, Row32(addr), a.Lanes)
		if a.Lanes == 64 {
			a.Op.Row(Row32(addr), before, a.Data)
		} else {
			a.Op.Row(&a.Temp[0][1], before, a.Data)
			copyLanes(Row32(addr), &a.Temp[0][1], a.Lanes)
		}
		if a.Old != nil {
			copyLanes(old, before, a.Lanes)
		}
	case a.Op.Words != nil:
		a.Op.Words(old, a.Off, a.Data, a.Base, a.Lanes)
	default:
		cmp := a.cmp()
		for l := range a.Lanes {
			p := (*uint32)(at(a.Base + uint64(a.Off[l])))
			was := *p
			*p = uint32(a.Op.Next(uint64(was), uint64(a.Data[l]), uint64(cmp[l])))
			old[l] = was
		}
	}
}

// cmp returns the registers with what words are compared with, or zeros.
func (a *Atomic) cmp() *alu.Lanes {
	if a.Cmp == nil {
		return &alu.Zeros
	}
	return a.Cmp
}

// Shared updates words that others may write concurrently.
func (a *Atomic) Shared(shape uint8) {
	switch {
	case shape == InRow:
		a.row(a.Base + uint64(a.Off[0]))
	case shape == InOne && a.Op.Fold != nil:
		a.fold(a.Base + uint64(a.Off[0]))
	case shape == InOne:
		a.one(a.Base + uint64(a.Off[0]))
	default:
		for l := range a.Lanes {
			was := a.lane(a.Base+uint64(a.Off[l]), l)
			if a.Old != nil {
				a.Old[l] = was
			}
		}
	}
}

// lane updates a lane's word.
func (a *Atomic) lane(addr uint64, l int) uint32 {
	p, x, y := (*uint32)(at(addr)), uint64(a.Data[l]), uint64(a.cmp()[l])
	for {
		was := atomic.LoadUint32(p)
		if atomic.CompareAndSwapUint32(p, was, uint32(a.Op.Next(uint64(was), x, y))) {
			return was
		}
	}
}

// row updates consecutive words. It reads all, computes all, and replaces those that are still unchanged,
// several at a time: an atomic of the processor takes much longer than the operation. The others go one by one.
func (a *Atomic) row(addr uint64) {
	before, after := &a.Temp[0][0], &a.Temp[0][1]
	copyLanes(before, Row32(addr), a.Lanes)
	if a.Op.Row != nil {
		a.Op.Row(after, before, a.Data)
	} else {
		cmp := a.cmp()
		for l := range a.Lanes {
			after[l] = uint32(a.Op.Next(uint64(before[l]), uint64(a.Data[l]), uint64(cmp[l])))
		}
	}
	for l := 0; ; l++ {
		if l = replaceRow(addr, before, after, l, a.Lanes); l == a.Lanes {
			break
		}
		before[l] = a.lane(addr+uint64(l)*4, l)
	}
	if a.Old != nil {
		copyLanes(a.Old, before, a.Lanes)
	}
}

// portableReplaceRow stores the words of after from lane l on for those of before, which have to be there still. It
// ends before a lane whose word is another one, and returns that lane, or lanes.
func portableReplaceRow(addr uint64, before, after *alu.Lanes, l, lanes int) int {
	for l < lanes {
		p := addr + uint64(l)*4
		if p&7 == 0 && l+2 <= lanes {
			if !atomic.CompareAndSwapUint64((*uint64)(at(p)), alu.Join(before[l], before[l+1]), alu.Join(after[l], after[l+1])) {
				return l
			}
			l += 2
			continue
		}
		if !atomic.CompareAndSwapUint32((*uint32)(at(p)), before[l], after[l]) {
			return l
		}
		l++
	}
	return l
}

// fold updates one word for all lanes by an operation that is associative: first by what the lanes come to together.
func (a *Atomic) fold(addr uint64) {
	total := uint64(a.Op.Fold.Total(a.Data, a.Lanes))
	p := (*uint32)(at(addr))
	was := atomic.LoadUint32(p)
	for !atomic.CompareAndSwapUint32(p, was, uint32(a.Op.Next(uint64(was), total, 0))) {
		was = atomic.LoadUint32(p)
	}
	if a.Old != nil {
		a.Op.Fold.Each(&a.Temp[0], a.Data, was, a.Op.Fold.Identity, a.Lanes)
		copyLanes(a.Old, &a.Temp[0][0], a.Lanes)
	}
}

// one updates one word for all lanes.
func (a *Atomic) one(addr uint64) {
	p, old, word := (*uint32)(at(addr)), &a.Temp[0][0], &a.Temp[1][0]
	for {
		was := atomic.LoadUint32(p)
		word[0] = was
		b := Atomic{a.Op, old, &alu.Zeros, a.Data, a.Cmp, uint64(uintptr(unsafe.Pointer(word))), a.Lanes, a.Temp}
		b.Alone(InOne)
		if atomic.CompareAndSwapUint32(p, was, word[0]) {
			break
		}
	}
	if a.Old != nil {
		copyLanes(a.Old, old, a.Lanes)
	}
}

// portableCopy copies the first lanes, 32 or 64.
//
//go:norace
func portableCopy(d, s *alu.Lanes, lanes int) {
	if lanes == 64 {
		*d = *s
	} else {
		*(*[32]uint32)(d[:]) = [32]uint32(s[:])
	}
}

// WideAtomic is Atomic for 64-bit numbers in two registers each. Old has no registers if old values are not wanted.
type WideAtomic struct {
	Op        *AtomicOp
	Off       *alu.Lanes
	Old       [2]*alu.Lanes
	Data, Cmp [2]*alu.Lanes
	Base      uint64
	Lanes     int
	Temp      *alu.Pair
}

// Shared updates numbers that others may write concurrently.
func (a *WideAtomic) Shared(shape uint8) {
	if shape == InOne {
		a.one((*uint64)(at(a.Base + uint64(a.Off[0]))))
		return
	}
	for l := range a.Lanes {
		l &= 63
		p := (*uint64)(at(a.Base + uint64(a.Off[l])))
		was := atomic.LoadUint64(p)
		for !atomic.CompareAndSwapUint64(p, was, a.next(was, l)) {
			was = atomic.LoadUint64(p)
		}
		if a.Old[0] != nil {
			a.Old[0][l], a.Old[1][l] = uint32(was), uint32(was>>32)
		}
	}
}

func (a *WideAtomic) next(was uint64, l int) uint64 {
	return a.Op.Next(was, alu.Join(a.Data[0][l], a.Data[1][l]), alu.Join(a.Cmp[0][l], a.Cmp[1][l]))
}

// one updates one number for all lanes.
func (a *WideAtomic) one(p *uint64) {
	for {
		was := atomic.LoadUint64(p)
		v := was
		for l := range a.Lanes {
			l &= 63
			a.Temp[0][l], a.Temp[1][l] = uint32(v), uint32(v>>32)
			v = a.next(v, l)
		}
		if atomic.CompareAndSwapUint64(p, was, v) {
			break
		}
	}
	if a.Old[0] != nil {
		copyLanes(a.Old[0], &a.Temp[0], a.Lanes)
		copyLanes(a.Old[1], &a.Temp[1], a.Lanes)
	}
}

// eachWord replaces a word for each of the first lanes by f of it. The word is off after base and aligned. The old
// values go to old, which may be any of the other registers.
func eachWord(old, off, data *alu.Lanes, base uint64, lanes int, f func(old, data uint32) uint32) {
	for l := range lanes {
		p := (*uint32)(at(base + uint64(off[l])))
		was := *p
		*p = f(was, data[l])
		old[l] = was
	}
}
