package profile

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// LDS answers in each cycle one word of four bytes from each bank. A wave's access goes in phases, each of
// as many lanes as ask for a word of every bank; a phase takes as many cycles as the most words that its
// lanes want of one bank. Lanes that want the same word get it together, but for atomics, which are
// done one after the other. (AMD's documentation of Composable Kernel, "Understanding AMD GPU LDS and Bank
// Conflicts", has banks and phases; AMD's list of counters has SQ_LDS_BANK_CONFLICT and SQ_LDS_ADDR_CONFLICT.)

// banksOf is how many banks a workgroup's LDS has. AMD says that some chips have 64, and not which.
func banksOf(chip encoding.Chip) int {
	if chip.Model() == encoding.Gfx950 {
		return 64
	}
	return 32
}

// wideReads are the phases of ds_read_b128 of 32 banks: each of four lanes and four others. What else
// there is takes lanes in their order.
var wideReads = [8][2]int{{0, 20}, {4, 16}, {8, 28}, {12, 24}, {32, 52}, {36, 48}, {40, 60}, {44, 56}}

// ldsBanks counts the cycles of accesses.
type ldsBanks struct {
	taken uint64     // banks that the phase wants a word of
	first [64]uint32 // the first of them
	times [64]int    // how many lanes want that one
	in    [64]int    // how many different ones there are
	more  []lateWord // the others
	most  int        // words of one bank, and lanes of one word
	same  int
}

// lateWord is a word of a bank of which the phase wants another one already.
type lateWord struct {
	word  uint32
	times int
}

// access adds the cycles of an access.
func (b *ldsBanks) access(chip encoding.Chip, a *wave.Access, to *sums) {
	banks := banksOf(chip)
	width := 4
	for uint64(width) < a.Size {
		width *= 2
	}
	lanes := max(banks*4/width, 1)
	to.accesses++
	if banks == 32 && !chip.RDNA() && a.Op == wave.Reads && width == 16 {
		for _, p := range wideReads {
			b.want(a, banks, p[0], 4)
			b.want(a, banks, p[1], 4)
			b.phase(a, to)
		}
		return
	}
	for first := 0; first < 64; first += lanes {
		b.want(a, banks, first, lanes)
		b.phase(a, to)
	}
}

// want adds the words of some lanes to the phase.
func (b *ldsBanks) want(a *wave.Access, banks, first, lanes int) {
	for lane := first; lane < first+lanes; lane++ {
		if a.Lanes>>lane&1 == 0 {
			continue
		}
		for at := uint64(0); at < a.Size; at += 4 {
			b.add(uint32((a.At[lane]+at)>>2), banks)
		}
	}
}

func (b *ldsBanks) add(word uint32, banks int) {
	bank := int(word) & (banks - 1) & 63
	switch {
	case b.taken>>bank&1 == 0:
		b.taken |= 1 << bank
		b.first[bank], b.times[bank], b.in[bank] = word, 1, 1
		b.most, b.same = max(b.most, 1), max(b.same, 1)
		return
	case b.first[bank] == word:
		b.times[bank]++
		b.same = max(b.same, b.times[bank])
		return
	}
	for n := range b.more {
		if m := &b.more[n]; m.word == word {
			m.times++
			b.same = max(b.same, m.times)
			return
		}
	}
	b.more = append(b.more, lateWord{word, 1})
	b.in[bank]++
	b.most = max(b.most, b.in[bank])
}

// phase adds the cycles of the words that are wanted, and begins the next one.
func (b *ldsBanks) phase(a *wave.Access, to *sums) {
	if b.taken == 0 {
		return
	}
	to.cycles += uint64(b.most)
	to.banks += uint64(b.most - 1)
	if a.Op == wave.Updates {
		to.cycles += uint64(b.same - 1)
		to.words += uint64(b.same - 1)
	}
	b.taken, b.more, b.most, b.same = 0, b.more[:0], 0, 0
}
