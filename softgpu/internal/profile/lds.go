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

// banksOf is how many banks a workgroup's LDS has.
func banksOf(chip encoding.Chip) int {
	if chip == encoding.Gfx950 {
		return 64
	}
	return 32
}

// wideReads are the phases of ds_read_b128 of 32 banks: each of four lanes and four others. What else
// there is takes lanes in their order.
var wideReads = [8][2]int{{0, 20}, {4, 16}, {8, 28}, {12, 24}, {32, 52}, {36, 48}, {40, 60}, {44, 56}}

// ldsBanks counts the cycles of accesses.
type ldsBanks struct {
	words [64]uint32 // that a phase wants
	times [64]int    // how many lanes want each
	count int
}

// access adds what an access takes.
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
			b.count = 0
			b.want(a, p[0], 4)
			b.want(a, p[1], 4)
			b.phase(banks, a.Op == wave.Updates, to)
		}
		return
	}
	for first := 0; first < 64; first += lanes {
		b.count = 0
		b.want(a, first, lanes)
		b.phase(banks, a.Op == wave.Updates, to)
	}
}

// want adds the words of some lanes to the phase.
func (b *ldsBanks) want(a *wave.Access, first, lanes int) {
	for lane := first; lane < first+lanes; lane++ {
		if a.Lanes>>lane&1 == 0 {
			continue
		}
	words:
		for at := uint64(0); at < a.Size; at += 4 {
			word := uint32((a.At[lane] + at) >> 2)
			for n := range b.count {
				if b.words[n] == word {
					b.times[n]++
					continue words
				}
			}
			if b.count < len(b.words) {
				b.words[b.count], b.times[b.count] = word, 1
				b.count++
			}
		}
	}
}

// phase adds the cycles of the words that are wanted.
func (b *ldsBanks) phase(banks int, atomic bool, to *sums) {
	if b.count == 0 {
		return
	}
	var in [64]int
	most, repeated := 0, 0
	for n := range b.count {
		bank := int(b.words[n]) % banks
		in[bank]++
		most = max(most, in[bank])
		repeated = max(repeated, b.times[n])
	}
	to.cycles += uint64(most)
	to.banks += uint64(most - 1)
	if atomic {
		to.cycles += uint64(repeated - 1)
		to.words += uint64(repeated - 1)
	}
}
