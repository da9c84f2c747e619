package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// LDSTransposed loads a matrix for each 16 lanes and transposes it. Lane n reads
// the nth part of it at its address: a row of 16 entries, or the part of one that
// fits. Each lane gets a column. (CDNA4 ISA, 11.4, tells which columns of A a load is
// for; the order of rows follows.)
func LDSTransposed(t width, entry uint) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		if i.GDS {
			return nil
		}
		s, d := bindLDS(i, uint64(uint16(i.Imm))), BindRegisters(&i.Dst)
		words := uint(t.bytes / 4)
		each := words * 32 / entry // entries in a lane
		perRow := 16 / each        // lanes that read one row
		return func(w *wave.Wave) {
			exec := w.Exec()
			valid, _ := s.Resolve(w, exec, t.bytes, false)
			var in [64][4]uint32
			for k := valid; k != 0; k &= k - 1 {
				l := bits.TrailingZeros64(k) & 63
				for n := range words {
					in[l][n] = memory.Load32(w.Addr[l] + uint64(n)*4)
				}
			}
			for k := exec; k != 0; k &= k - 1 {
				l := bits.TrailingZeros64(k) & 63
				column := uint(l) % 16
				var out [4]uint32
				for row := range each {
					from := &in[uint(l)&^15+row*perRow+column/each]
					x := bitField(from, column%each*entry, entry)
					at := row * entry
					out[at/32] |= x << (at % 32)
					if at%32+entry > 32 {
						out[at/32+1] |= x >> (32 - at%32)
					}
				}
				for n := range words {
					d.Of(w, int(n))[l] = out[n]
				}
			}
		}
	}
}

// bitField returns size bits of words from at on.
func bitField(words *[4]uint32, at, size uint) uint32 {
	x := words[at/32] >> (at % 32)
	if at%32+size > 32 {
		x |= words[at/32+1] << (32 - at%32)
	}
	return x & (1<<size - 1)
}
