package gcn

import "math/bits"

// stepToLDS loads words for each lane into LDS: lane n's come n times as many
// words behind the offset in M0, to which the instruction's own is added. Parts
// of a word are extended to a whole one.
func stepToLDS(s space, t width, i *Inst) Step {
	mask, size := ldsOffset(i.Chip), max(t.bytes, 4)
	offset := i.Imm
	return func(w *Wave) {
		m := w.Exec()
		valid, step := s.resolve(w, m, t.bytes, false)
		if w.Status == Faulted {
			return
		}
		if step == 0 {
			w.fail("load of a word that is not aligned from private memory to LDS", -1, 0)
			return
		}
		base := uint64(w.S[M0]&mask) + uint64(int64(offset))
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			at := base + uint64(l)*size
			if at+size > uint64(len(w.LDS)) || at+size < size {
				continue
			}
			for n := uint64(0); n < size/4; n++ {
				var v uint32
				if valid>>uint(l)&1 != 0 {
					v = t.word(w.addr[l] + n*step)
				}
				store32(w.ldsBase()+at+4*n, v)
			}
		}
	}
}

// ldsOffset tells which bits of M0 are the offset of loads into LDS.
func ldsOffset(chip Chip) uint32 {
	if chip >= Gfx950 {
		return 0x3fffc
	}
	return 0xffff
}

// word loads at most a word.
func (t width) word(addr uint64) uint32 {
	switch {
	case t.bytes == 1:
		return t.fill(0, load8(addr))
	case t.bytes == 2:
		return t.fill(0, load16(addr))
	}
	return load32(addr)
}
