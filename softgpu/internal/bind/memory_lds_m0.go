package bind

import (
	"math"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// LDS at an address in M0.

// M0LDS is LDS from an offset and the low half of M0 on: Each bytes for each lane.
type M0LDS struct {
	Offset, Each uint64
}

// BindM0LDS binds a DS instruction without an address register.
func BindM0LDS(i *encoding.Inst, each uint64) *M0LDS {
	return &M0LDS{Offset: uint64(uint16(i.Imm)), Each: each}
}

// At is the place of the first lane.
func (s *M0LDS) At(w *wave.Wave) uint64 { return uint64(w.S[wave.M0]&0xffff) + s.Offset }

// Resolve finds the memory that the active lanes mean. What lies beyond the end is not there.
func (s *M0LDS) Resolve(w *wave.Wave, m, size uint64, _ bool) (valid, step uint64) {
	first, end := s.At(w), uint64(len(w.LDS))
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		at := first + s.Each*uint64(l)
		w.Addr[l] = w.LDSBase() + at
		if at+size <= end {
			valid |= 1 << uint(l)
		}
	}
	return valid, memory.Linear
}

// LDSAddtidLoad loads a word for each lane.
func LDSAddtidLoad(i *encoding.Inst) encoding.Step {
	if i.GDS {
		return nil
	}
	return stepLoad(BindM0LDS(i, 4), Dword, BindRegisters(&i.Dst))
}

// LDSAddtidStore stores a word for each lane.
func LDSAddtidStore(i *encoding.Inst) encoding.Step {
	if i.GDS {
		return nil
	}
	return stepStore(BindM0LDS(i, 4), Dword, BindRegisters(&i.Src[0]))
}

// LDSCount adds the number of active lanes to a word, which all lanes share, or subtracts it.
// The lanes get the old value.
func LDSCount(subtract bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.GDS {
			return nil
		}
		s, d := BindM0LDS(i, 0), BindRegisters(&i.Dst)
		return func(w *wave.Wave) {
			exec := w.Exec()
			if exec == 0 {
				return
			}
			valid, _ := s.Resolve(w, exec, 4, true)
			old := &w.Temp[3][0]
			old.Fill(0)
			if valid != 0 { // other waves of the workgroup do not run meanwhile
				addr := w.LDSBase() + s.At(w)
				if addr&3 != 0 {
					w.Fail(memory.UnalignedAtomic, -1, addr)
					return
				}
				word, by := memory.Load32(addr), uint32(bits.OnesCount64(exec))
				if subtract {
					by = -by
				}
				memory.Store32(addr, word+by)
				old.Fill(word)
			}
			alu.Blend(d.Of(w, 0), old, exec)
		}
	}
}

// nextSignStores replaces each half of a value, if the new half has its highest bit, which is not stored.
func nextSignStores(old, data, _ uint64) uint64 {
	for half := 0; half < 64; half += 32 {
		if data>>half>>31&1 != 0 {
			old = old&^(math.MaxUint32<<half) | data>>half&math.MaxInt32<<half
		}
	}
	return old
}

// AtomicSignStores is the operation of ds_condxchg32_rtn_b64.
var AtomicSignStores = &memory.AtomicOp{Next: nextSignStores}
