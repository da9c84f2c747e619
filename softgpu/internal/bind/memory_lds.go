package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// ldsSpace is the memory of a workgroup. What lies beyond its end reads 0 and is not written.
type ldsSpace struct {
	addr   wave.Registers
	offset uint64
}

// Resolve finds the memory that the active lanes mean.
func (s *ldsSpace) Resolve(w *wave.Wave, m, size uint64, _ bool) (valid, step uint64) {
	from, base, end := s.addr.Of(w, 0), w.LDSBase(), uint64(len(w.LDS))
	valid = m
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		// The sum has 32 bits: compilers fold offsets into addresses below zero.
		a := uint64(from[l] + uint32(s.offset))
		w.Addr[l] = base + a
		if a+size > end {
			valid &^= 1 << uint(l)
		}
	}
	return valid, memory.Linear
}

func (s *ldsSpace) base(w *wave.Wave, lanes int, size uint64, _ bool) (base uint64, off *alu.Lanes, shape uint8) {
	off = s.addr.Of(w, 0)
	_, high, shape := memory.SpanOf(off, &alu.Zeros, lanes)
	return w.LDSBase() + s.offset, off, memory.ShapeIf(uint64(high)+s.offset+size <= uint64(len(w.LDS)), shape)
}

func bindLDS(i *encoding.Inst, offset uint64) *ldsSpace {
	return &ldsSpace{addr: BindRegisters(&i.Src[0]), offset: offset}
}

// LDSLoad binds ds_read_i8 and its like.
func LDSLoad(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.GDS {
			return nil
		}
		s, d := bindLDS(i, uint64(uint16(i.Imm))), BindRegisters(&i.Dst)
		step := stepLoad(s, t.on(i), d)
		switch t.bytes {
		case 4:
			return asRow(i, step, alu.OpLoadLDS, d, s.addr, inLDS(s.offset))
		case 8:
			return asPairs(i, step, d, s.addr, s.offset)
		case 16:
			return asPairs(i, step, d, s.addr, s.offset, s.offset+8)
		}
		return step
	}
}

// LDSStore binds ds_write_b8 and its like.
func LDSStore(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.GDS {
			return nil
		}
		s, d := bindLDS(i, uint64(uint16(i.Imm))), BindRegisters(&i.Src[1])
		step := stepStore(s, t, d)
		if t.bytes != 4 {
			return step
		}
		return asRow(i, step, alu.OpStoreLDS, d, s.addr, inLDS(s.offset))
	}
}

// Offsets returns the two offsets, which count elements, or 64 of them, in bytes.
func Offsets(i *encoding.Inst, size uint64) (first, second uint64) {
	return uint64(i.Imm&0xff) * size, uint64(i.Imm>>8&0xff) * size
}

// LDSLoad2 loads two elements from two offsets; by is the offsets' unit in elements.
func LDSLoad2(t width, by uint64) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.GDS {
			return nil
		}
		a, b := Offsets(i, t.bytes*by)
		first, second, far := bindLDS(i, a), bindLDS(i, b), bindLDS(i, max(a, b))
		d := BindRegisters(&i.Dst)
		e := d
		e.At += int(t.bytes / 4)
		apart := !d.Overlaps(far.addr) || d.Acc
		step := func(w *wave.Wave) {
			m := w.Exec()
			if lanes := alu.FirstLanes(m); lanes != 0 {
				if base, off, shape := far.base(w, lanes, t.bytes, false); shape != memory.Shapeless {
					if !apart {
						w.Old = *off
						off = &w.Old
					}
					t.gather(w, d, off, base+a-far.offset, shape, lanes)
					t.gather(w, e, off, base+b-far.offset, shape, lanes)
					return
				}
			}
			here, _ := first.Resolve(w, m, t.bytes, false)
			addr := w.Addr
			there, _ := second.Resolve(w, m, t.bytes, false)
			t.load(w, e, there, m&^there, memory.Linear)
			w.Addr = addr
			t.load(w, d, here, m&^here, memory.Linear)
		}
		if t.bytes != 4 {
			return asPairs(i, step, d, far.addr, a, b)
		}
		return asRow(i, step, alu.OpLoadLDS2, d, far.addr, inLDS(a, b))
	}
}

// LDSStore2 binds ds_write2_b32 and its like.
func LDSStore2(t width, by uint64) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.GDS {
			return nil
		}
		a, b := Offsets(i, t.bytes*by)
		s, d, e := bindLDS(i, a), BindRegisters(&i.Src[1]), BindRegisters(&i.Src[2])
		first, second := stepStore(s, t, d), stepStore(bindLDS(i, b), t, e)
		step := func(w *wave.Wave) {
			first(w)
			second(w)
		}
		if t.bytes != 4 || e.Acc {
			return step
		}
		return asRow(i, step, alu.OpStoreLDS2, d, s.addr, func(p *encoding.Part, op *alu.Op) {
			inLDS(a, b)(p, op)
			putRegister(p, op, 2, e.At, false)
		})
	}
}

// LDSExchange2 stores two values of one or two words, at two offsets, and returns what
// was there; by is the offsets' unit in values. A lane reads both places before it
// writes them, as in the manual's text: if both are the same place, both results are
// the old value, and the second value remains there.
func LDSExchange2(words int, by uint64) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.GDS {
			return nil
		}
		size := uint64(words) * 4
		a, b := Offsets(i, size*by)
		places := [2]*ldsSpace{bindLDS(i, a), bindLDS(i, b)}
		data := [2]wave.Registers{BindRegisters(&i.Src[1]), BindRegisters(&i.Src[2])}
		d := BindRegisters(&i.Dst)
		return func(w *wave.Wave) {
			m := w.Exec()
			var at [2][64]uint64
			var valid [2]uint64
			for n, p := range places {
				valid[n], _ = p.Resolve(w, m, size, true)
				at[n] = w.Addr
				for k := valid[n]; k != 0; k &= k - 1 {
					if l := bits.TrailingZeros64(k) & 63; at[n][l]&(size-1) != 0 {
						w.Fail(memory.UnalignedAtomic, l, at[n][l])
						return
					}
				}
			}
			for k := m; k != 0; k &= k - 1 {
				l := bits.TrailingZeros64(k) & 63
				var old, stored [2][2]uint32
				for n := range places {
					for word := range words {
						stored[n][word] = data[n].Of(w, word)[l]
						if valid[n]>>uint(l)&1 != 0 {
							old[n][word] = memory.Load32(at[n][l] + uint64(word)*4)
						}
					}
				}
				for n := range places {
					for word := range words {
						d.Of(w, n*words+word)[l] = old[n][word]
						if valid[n]>>uint(l)&1 != 0 {
							memory.Store32(at[n][l]+uint64(word)*4, stored[n][word])
						}
					}
				}
			}
		}
	}
}

// LDSAtomic has its data in one source; with two, the first is compared with, the second stored.
func LDSAtomic(op *memory.AtomicOp, words int) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.GDS {
			return nil
		}
		o := operands{data: BindRegisters(&i.Src[1])}
		if i.Src[2].Kind != encoding.NoOperand {
			o.cmp, o.data = o.data, BindRegisters(&i.Src[2])
		}
		if i.Dst.Kind != encoding.NoOperand {
			o.result = BindRegisters(&i.Dst)
		}
		return stepAtomic(bindLDS(i, uint64(uint16(i.Imm))), op, words, o)
	}
}

// permuteReach tells how far ds_permute and ds_bpermute go: the bits of a lane's number that
// its address tells, and those that stay its own.
func permuteReach(i *encoding.Inst) (told, own uint32) {
	if i.Wave32 || i.Chip.Set().Facts().PermuteHalves {
		return 31, 32
	}
	return 63, 0
}

// Bpermute reads the lane that each lane's address tells; inactive ones give 0.
func Bpermute(i *encoding.Inst) encoding.Step {
	told, own := permuteReach(i)
	addr, data, d := BindRegisters(&i.Src[0]), BindRegisters(&i.Src[1]), BindRegisters(&i.Dst)
	offset, twos := alu.LanesOf(uint32(uint16(i.Imm))), alu.LanesOf(2)
	op := alu.OpBpermute
	if own != 0 {
		op = alu.OpBpermuteIn32
	}
	step := func(w *wave.Wave) {
		from, exec := data.Of(w, 0), w.Exec()
		if !w.Full() && bits.OnesCount64(exec) < fewLanes {
			bpermuteEach(addr.Of(w, 0), d.Of(w, 0), from, exec, offset[0], told, own)
			return
		}
		index, r := &w.Temp[0][0], &w.Temp[3][0]
		alu.AddU32(index, addr.Of(w, 0), &offset)
		alu.LshrrevB32(index, &twos, index)
		if !w.Full() {
			activeLanes(r, from, exec)
			from = r
		}
		permute(r, from, index, own != 0)
		alu.Blend(d.Of(w, 0), r, exec)
	}
	if addr.Acc {
		return step
	}
	return asExchange(i, step, op, d, data, func(p *encoding.Part, op *alu.Op) {
		putRegister(p, op, 2, addr.At, false)
		op.At[alu.BpermuteOffset] = uintptr(offset[0])
	})
}

// fewLanes are so few that they are permuted one after the other.
const fewLanes = 24

func bpermuteEach(a, to, from *alu.Lanes, exec uint64, offset, told, own uint32) {
	in := *from
	for k := exec; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		at := ((a[l]+offset)>>2&told | uint32(l)&own) & 63
		to[l] = in[at] & -uint32(exec>>at&1)
	}
}

// Permute writes to the lane that each lane's address tells; the highest lane
// wins, lanes that none writes get 0.
func Permute(i *encoding.Inst) encoding.Step {
	told, own := permuteReach(i)
	addr, data, d := BindRegisters(&i.Src[0]), BindRegisters(&i.Src[1]), BindRegisters(&i.Dst)
	offset := uint32(uint16(i.Imm))
	return func(w *wave.Wave) {
		a, from, r := addr.Of(w, 0), data.Of(w, 0), &w.Temp[3][0]
		*r = alu.Lanes{}
		for k := w.Exec(); k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			r[((a[l]+offset)>>2&told|uint32(l)&own)&63] = from[l]
		}
		alu.Blend(d.Of(w, 0), r, w.Exec())
	}
}

// SwizzleLDS moves lanes in a pattern: within quads, or by masks within 32 lanes.
func SwizzleLDS(i *encoding.Inst) encoding.Step {
	p := uint32(uint16(i.Imm))
	if p >= 0xc000 {
		return nil
	}
	from := new(alu.Lanes)
	for l := range from {
		if p&0x8000 != 0 {
			from[l] = uint32(l&^3) | p>>(l&3*2)&3
		} else {
			from[l] = uint32(l&32) | (uint32(l)&(p&31) | p>>5&31) ^ p>>10&31
		}
	}
	src, d := BindRegisters(&i.Src[0]), BindRegisters(&i.Dst)
	step := func(w *wave.Wave) {
		in, r := src.Of(w, 0), &w.Temp[3][0]
		if w.Exec() == alu.Full {
			alu.PermuteIn32(d.Of(w, 0), in, from)
			return
		}
		activeLanes(r, in, w.Exec())
		alu.PermuteIn32(r, r, from)
		alu.Blend(d.Of(w, 0), r, w.Exec())
	}
	return asExchange(i, step, alu.OpPermuteIn32, d, src, func(p *encoding.Part, op *alu.Op) {
		p.Keep = []any{from}
		*op = withFixed(*op, 2, hostAddress(from))
	})
}
