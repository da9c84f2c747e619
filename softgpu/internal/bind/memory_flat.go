package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// A flat address with an aperture's upper half is in LDS or private memory; any other is in global memory. Lanes may
// differ.

// flatSpace resolves one kind of them: global memory and LDS, or private memory.
type flatSpace struct {
	addr    wave.Registers
	offset  uint64
	private bool
	scratch int // first register of flat_scratch
}

// split returns the lanes of m with private addresses, and the others.
func (f *flatSpace) split(w *wave.Wave, m uint64) (private, other uint64) {
	hi, aperture := f.addr.Of(w, 1), uint32(w.PrivateBase>>32)
	if aperture == 0 {
		return 0, m
	}
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		if hi[l] == aperture {
			private |= 1 << uint(l)
		}
	}
	return private, m &^ private
}

// Resolve finds the memory that the active lanes mean.
func (f *flatSpace) Resolve(w *wave.Wave, m, size uint64, write bool) (valid, step uint64) {
	lo, hi := f.addr.Of(w, 0), f.addr.Of(w, 1)
	if f.private {
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			w.Addr[l] = uint64(lo[l]) + f.offset
		}
		return w.PrivateLanes(f.scratch, m, size, write)
	}
	shared, lds := uint32(w.SharedBase>>32), w.LDSBase()
	valid = m
	low, high, global := ^uint64(0), uint64(0), uint64(0)
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		if shared != 0 && hi[l] == shared {
			off := uint64(lo[l]) + f.offset
			w.Addr[l] = lds + off
			if off+size > uint64(len(w.LDS)) {
				valid &^= 1 << uint(l)
			}
			continue
		}
		a := alu.Join(lo[l], hi[l]) + f.offset
		w.Addr[l] = a
		global |= 1 << uint(l)
		low, high = min(low, a), max(high, a)
	}
	if !w.ReachLanes(global, low, high, size, write) {
		return 0, memory.Linear
	}
	return valid, memory.Linear
}

// base serves addresses whose upper halves are the same, those of private memory excepted.
func (f *flatSpace) base(w *wave.Wave, lanes int, size uint64, write bool) (base uint64, off *alu.Lanes, shape uint8) {
	off, hi := f.addr.Of(w, 0), f.addr.Of(w, 1)
	low, high, shape := memory.SpanOf(off, hi, lanes)
	switch top := hi[0]; {
	case shape == memory.Shapeless || top == uint32(w.PrivateBase>>32) && top != 0:
		return 0, nil, memory.Shapeless
	case top == uint32(w.SharedBase>>32) && top != 0:
		return w.LDSBase() + f.offset, off, memory.ShapeIf(uint64(high)+f.offset+size <= uint64(len(w.LDS)), shape)
	}
	base = uint64(hi[0])<<32 + f.offset
	return base, off, memory.ShapeIf(w.SpanKnown(base+uint64(low), uint64(high-low)+size, write), shape)
}

// ByteAt is the address of a byte of an access that is not aligned.
func (f *flatSpace) ByteAt(w *wave.Wave, lane int, off uint64) uint64 {
	return wave.Swizzled(w.S64(f.scratch), off, lane)
}

func bindFlat(i *encoding.Inst) (global, private *flatSpace) {
	f := flatSpace{addr: BindRegisters(&i.Src[0]), offset: uint64(int64(i.Imm)), scratch: i.Chip.Set().FlatScratch()}
	p := f
	p.private = true
	return &f, &p
}

// FlatLoad binds flat_load_sbyte and its like.
func FlatLoad(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		f, p := bindFlat(i)
		d, t := BindRegisters(&i.Dst), t.on(i)
		return func(w *wave.Wave) {
			if lanes := alu.FirstLanes(w.Exec()); lanes != 0 && t.bytes >= 4 {
				if base, off, shape := f.base(w, lanes, t.bytes, false); shape != memory.Shapeless {
					t.gather(w, d, off, base, shape, lanes)
					return
				}
			}
			private, m := f.split(w, w.Exec())
			var mine [64]uint64
			var apart uint64
			if private != 0 {
				if _, apart = p.Resolve(w, private, t.bytes, false); w.Status == wave.Faulted {
					return
				}
				mine = w.Addr
			}
			// All addresses are known before a register is written: the
			// destination may be among the address registers.
			valid, step := f.Resolve(w, m, t.bytes, false)
			if w.Status == wave.Faulted {
				return
			}
			t.load(w, d, valid, m&^valid, step)
			if private != 0 {
				w.Addr = mine
				if apart == 0 {
					t.loadBytes(w, p, d, private, 0)
				} else {
					t.load(w, d, private, 0, apart)
				}
			}
		}
	}
}

// FlatStore binds flat_store_byte and its like.
func FlatStore(t width) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		f, p := bindFlat(i)
		from := BindRegisters(&i.Src[1])
		return func(w *wave.Wave) {
			if lanes := alu.FirstLanes(w.Exec()); lanes != 0 && t.bytes >= 4 {
				if base, off, shape := f.base(w, lanes, t.bytes, true); shape != memory.Shapeless {
					t.scatter(w, from, off, base, shape, lanes)
					return
				}
			}
			private, m := f.split(w, w.Exec())
			if valid, step := f.Resolve(w, m, t.bytes, true); valid != 0 {
				t.store(w, from, valid, step)
			}
			if private != 0 && w.Status != wave.Faulted {
				switch valid, step := p.Resolve(w, private, t.bytes, true); {
				case valid == 0:
				case step == 0:
					t.storeBytes(w, p, from, valid)
				default:
					t.store(w, from, valid, step)
				}
			}
		}
	}
}

// FlatAtomic works on global memory and LDS; on private memory, whose words of
// 64 bits are not in one piece, only atomics of 32 bits do.
func FlatAtomic(op *memory.AtomicOp, words int) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		linear, private := bindFlat(i)
		return stepAtomic(&flatAny{linear, private}, op, words, atomicData(i, 1, words))
	}
}

// flatAny resolves all lanes at once, for accesses of one word.
type flatAny struct{ linear, private *flatSpace }

// Resolve finds the memory that the active lanes mean.
func (f *flatAny) Resolve(w *wave.Wave, m, size uint64, write bool) (valid, step uint64) {
	private, other := f.linear.split(w, m)
	if private == 0 {
		return f.linear.Resolve(w, m, size, write)
	}
	if size > 4 {
		w.Fail("64-bit atomic access to private memory", bits.TrailingZeros64(private), 0)
		return 0, memory.Linear
	}
	valid, _ = f.linear.Resolve(w, other, size, write)
	if w.Status == wave.Faulted {
		return 0, memory.Linear
	}
	mine, step := f.private.Resolve(w, private, size, write)
	if step == 0 {
		w.Fail("atomic access to an address that is not aligned", bits.TrailingZeros64(private), 0)
		return 0, memory.Linear
	}
	return valid | mine, memory.Linear
}
