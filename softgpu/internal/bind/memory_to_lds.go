package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// stepToLDS loads words for each lane into LDS: lane n's come n times as many
// words from the offset in M0 on, to which the instruction's own is added. Parts
// of a word are extended to a whole one.
func stepToLDS(s wave.Space, t width, i *encoding.Inst) encoding.Step {
	to := bindToLDS(t, i)
	buffer, _ := s.(*BufferSpace)
	var words []*BufferSpace
	if buffer != nil {
		words = buffer.words(t.bytes)
	}
	return func(w *wave.Wave) {
		if buffer != nil && buffer.cut(w, w.Exec(), t.bytes) {
			for n, word := range words {
				valid, _ := word.Resolve(w, w.Exec(), 4, false)
				if w.Status == wave.Faulted {
					return
				}
				to.put(w, Dword, valid, memory.Linear, 4*uint64(n))
			}
			return
		}
		valid, step := s.Resolve(w, w.Exec(), t.bytes, false)
		switch {
		case w.Status == wave.Faulted:
		case step == 0:
			w.Fail("load of a word that is not aligned from private memory to LDS", -1, 0)
		default:
			to.put(w, t, valid, step, 0)
		}
	}
}

// toLDS is where an instruction's words go.
type toLDS struct {
	mask   uint32 // of M0
	offset uint64
	size   uint64 // bytes that a lane writes
}

func bindToLDS(t width, i *encoding.Inst) toLDS {
	return toLDS{LDSOffset(i.Chip), uint64(int64(i.Imm)), max(t.bytes, 4)}
}

// put loads from the resolved addresses and writes from byte first of each active
// lane's place on; lanes out of range write zeros.
func (d *toLDS) put(w *wave.Wave, t width, valid, step, first uint64) {
	base := uint64(w.S[wave.M0]&d.mask) + d.offset
	for k := w.Exec(); k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		at := base + uint64(l)*d.size
		if at+d.size > uint64(len(w.LDS)) || at+d.size < d.size {
			continue
		}
		for n := uint64(0); n < max(t.bytes, 4)/4; n++ {
			var v uint32
			if valid>>uint(l)&1 != 0 {
				v = t.word(w.Addr[l] + n*step)
			}
			memory.Store32(w.LDSBase()+at+first+4*n, v)
		}
	}
}

// LDSOffset tells which bits of M0 are the offset of loads into LDS.
func LDSOffset(chip encoding.Chip) uint32 {
	if chip.AtLeast(encoding.Gfx950) {
		return 0x3fffc
	}
	return 0xffff
}

// word loads at most a word.
func (t width) word(addr uint64) uint32 {
	switch {
	case t.bytes == 1:
		return t.fill(0, memory.Load8(addr))
	case t.bytes == 2:
		return t.fill(0, memory.Load16(addr))
	}
	return memory.Load32(addr)
}
