package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Loads that transpose a matrix of 16x16 entries, whose rows are in memory: lane l gets entries 8h to 8h+7 of column
// l mod 16, where h is 0 in the lower half of the wave.

// entrySource returns which lane loads entry j of lane l, and as which of its entries: it loads a half of a row.
type entrySource func(l, j int) (lane, entry int)

// ofHalves has lane 16h+8c+r load half c of row 8h+r.
func ofHalves(l, j int) (lane, entry int) { return l&^7 + j, l & 7 }

// ofBytes has lane 8r+4c+s load half c of row 4r+s.
func ofBytes(l, j int) (lane, entry int) {
	row := l/16*8 + j
	return row/4*8 + l%16/8*4 + row%4, l & 7
}

// LDSTransposed16 binds ds_load_tr16_b128.
func LDSTransposed16(i *encoding.Inst) encoding.Step {
	return transposed(i, bindLDS(i, uint64(uint16(i.Imm))), 2, ofHalves)
}

// LDSTransposed8 binds ds_load_tr8_b64.
func LDSTransposed8(i *encoding.Inst) encoding.Step {
	return transposed(i, bindLDS(i, uint64(uint16(i.Imm))), 1, ofBytes)
}

// GlobalTransposed8 binds global_load_tr8_b64.
func GlobalTransposed8(i *encoding.Inst) encoding.Step {
	return transposed(i, BindGlobal(i), 1, ofBytes)
}

// transposed makes a step for entries of size bytes. All lanes have to be active.
func transposed(i *encoding.Inst, s wave.Space, size uint64, from entrySource) encoding.Step {
	if !i.Wave32 {
		return nil
	}
	d := BindRegisters(&i.Dst)
	return func(w *wave.Wave) {
		if w.Exec() != 1<<32-1 {
			w.Fail("load that transposes while lanes are inactive", -1, 0)
			return
		}
		valid, _ := s.Resolve(w, w.Exec(), 8*size, false)
		if w.Status == wave.Faulted {
			return
		}
		var in [32][8]uint32 // entries that lanes load
		for m := valid; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 31
			for n := range in[l] {
				if at := w.Addr[l] + size*uint64(n); size == 1 {
					in[l][n] = memory.Load8(at)
				} else {
					in[l][n] = memory.Load16(at)
				}
			}
		}
		perWord := 4 / int(size)
		for l := range 32 {
			for word := range 8 / perWord {
				var x uint32
				for n := range perWord {
					lane, entry := from(l, word*perWord+n)
					x |= in[lane&31][entry&7] << (8 * int(size) * n)
				}
				d.Of(w, word)[l] = x
			}
		}
	}
}
