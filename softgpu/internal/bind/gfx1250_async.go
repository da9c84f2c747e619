package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Copies of GFX12.5 between memory and LDS, which do not go through registers: each active lane copies as many bytes as
// the name says. The instruction's offset is added to both addresses. The copy is complete before the next instruction;
// a wait for asynccnt does nothing.

// AsyncCopy is such an instruction's addresses.
type AsyncCopy struct {
	*GlobalSpace
	LDS    wave.Registers
	offset uint32
	store  bool
}

// BindAsync finds the addresses of an instruction that Addressed returned.
func BindAsync(i *encoding.Inst) AsyncCopy {
	c := *i
	a := AsyncCopy{offset: uint32(i.Imm), store: i.Row.Form.Src[0].Place == encoding.AtAddr}
	lds := 1
	if !a.store {
		lds = 0
		c.Src = [4]encoding.Operand{i.Src[1], i.Src[2]}
	} else {
		c.Src = [4]encoding.Operand{i.Src[0], i.Src[2]}
	}
	a.LDS, a.GlobalSpace = BindRegisters(&i.Src[lds]), BindGlobal(&c)
	return a
}

// InLDS returns where in LDS a lane's bytes are. The sum has 32 bits.
func (a *AsyncCopy) InLDS(w *wave.Wave, lane int) uint64 {
	return uint64(a.LDS.Of(w, 0)[lane] + a.offset)
}

// AsyncBytes makes a meaning that copies size bytes.
func AsyncBytes(size uint64) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		a := BindAsync(i)
		return func(w *wave.Wave) {
			valid, _ := a.Resolve(w, w.Exec(), size, a.store)
			if w.Status == wave.Faulted {
				return
			}
			for m := valid; m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				at := a.InLDS(w, l)
				inside := at+size <= uint64(len(w.LDS))
				switch {
				case a.store && inside:
					copyBytes(w.Addr[l], w.LDSBase()+at, size)
				case a.store:
					fillZeros(w.Addr[l], size) // what is beyond LDS reads as zeros
				case inside:
					copyBytes(w.LDSBase()+at, w.Addr[l], size)
				}
			}
		}
	}
}

// ArriveLDS is an arrival for each active lane at a barrier in LDS, after the wave's copies into it.
func ArriveLDS(i *encoding.Inst) encoding.Step {
	s := bindLDS(i, uint64(uint16(i.Imm)))
	return func(w *wave.Wave) {
		valid, _ := s.Resolve(w, w.Exec(), 8, true)
		for m := valid; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			if w.Addr[l]&7 != 0 {
				w.Fail(memory.UnalignedAtomic, l, w.Addr[l])
				return
			}
			arrive(w.Addr[l])
		}
	}
}

// arrive is one arrival at a barrier in LDS, by the host's address.
func arrive(at uint64) {
	lo, hi := memory.LoadPair(at)
	state := memory.NextArrive(alu.Join(lo, hi), 1, 0)
	memory.StorePair(at, uint32(state), uint32(state>>32))
}

// copyBytes copies 1, or a multiple of 4 bytes between addresses of the host.
func copyBytes(to, from, size uint64) {
	if size == 1 {
		memory.Store8(to, memory.Load8(from))
		return
	}
	for n := uint64(0); n < size; n += 4 {
		memory.Store32(to+n, memory.Load32(from+n))
	}
}

func fillZeros(to, size uint64) {
	if size == 1 {
		memory.Store8(to, 0)
		return
	}
	for n := uint64(0); n < size; n += 4 {
		memory.Store32(to+n, 0)
	}
}
