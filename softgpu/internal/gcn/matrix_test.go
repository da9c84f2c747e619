package gcn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/stretchr/testify/require"
)

// matrixCase is one matrix instruction with its operands as matrices. Values
// are raw bits; a sparse A has k/2 columns.
type matrixCase struct {
	row              *Row
	s                shape
	chip             Chip
	cbsz, abid, blgp int
	index            func(i, entry int) int         // sparse: which of four
	scales           [2]func(line, block int) uint8 // nil: there are none
	mixed            bool
	opSel, opSelHi   int
	a, b             func(block, i, k int) uint64
	c                func(block, i, j int) uint64
}

// Registers of these tests; the result overwrites C in sparse instructions.
const (
	matrixA, matrixB, matrixC, matrixD, matrixIndex, matrixScale = 8, 32, 64, 128, 40, 50
)

// shapeOf reads the shape out of the mnemonic.
func shapeOf(t testing.TB, r *Row) (s shape) {
	t.Helper()
	types := map[string]entry{"f32": entryF32, "xf32": entryXF32, "f64": entryF64, "f16": entryF16, "bf16": entryBF16, "bf16_1k": entryBF16,
		"i8": entryI8, "fp8": entryFP8, "bf8": entryBF8, "f8f6f4": entryMixed}
	var kind, rest string
	s.sparse = r.Name[:4] == "v_sm"
	name := strings.Replace(r.Name, "_scale_", "_", 1)[len("v_mfma_f32_"):]
	if s.sparse {
		name = r.Name[len("v_smfmac_f32_"):]
	}
	_, err := fmt.Sscanf(name, "%dx%dx%d%s", &s.m, &s.n, &s.k, &rest)
	require.NoError(t, err, r.Name)
	s.blocks = 0
	if n, _ := fmt.Sscanf(rest, "_%db_%s", &s.blocks, &kind); n < 2 {
		kind = rest
		if kind[0] == '_' {
			kind = kind[1:]
		}
	}
	s.b = entryI8 + 100
	if len(kind) == 7 && kind[3] == '_' && kind != "bf16_1k" {
		s.b = types[kind[4:]]
		kind = kind[:3]
	}
	a, ok := types[kind]
	require.True(t, ok, "%s: %s", r.Name, kind)
	s.a = a
	if s.b > entryE2M1 {
		s.b = a
	}
	if s.blocks == 0 {
		// Without a number in the name: what fills the lanes' registers.
		if r.Chips&(OnGfx942|OnGfx950) != 0 {
			s.blocks = 1
			return s
		}
		per := map[string]int{"f32": 1, "xf32": 2, "f64": 1, "f16": 4, "bf16": 2, "bf16_1k": 4, "i8": 4, "fp8": 8, "bf8": 8}[kind]
		s.blocks = per * 64 / (s.m * s.k)
	}
	return s
}

// where tells in which register and lane, from which bit on, entry x of line
// line of a factor sits; lines are rows of A and columns of B, len of length entries.
func where(lines, length, blocks, bits, block, line, x int) (reg, lane, shift int) {
	inOneLane := lines * blocks * length / 64
	item := x % inOneLane
	group := x / inOneLane
	if inOneLane*bits > 128 && (bits == 8 || bits == 16) { // two halves of k, with 16 bytes of each
		half := length / 2
		item, group = x/half*128/bits+x%(128/bits), x%half/(128/bits)
	}
	lane = line + lines*block + lines*blocks*group
	return item * bits / 32, lane, item * bits % 32
}

// whereResult tells the register (or pair) and lane of an entry of the result.
func whereResult(s shape, block, i, j int) (reg, lane int) {
	if s.a == entryF64 {
		if s.m == 4 {
			return 0, i*16 + block*4 + j
		}
		return i / 4, i%4*16 + j
	}
	switch s.m {
	case 32:
		return block*16 + i/8*4 + i%4, i/4%2*32 + j
	case 16:
		return block*4 + i%4, i/4*16 + j
	}
	return i, block*4 + j
}

func put(regs []alu.Lanes, reg, lane, shift, bits int, x uint64) {
	if bits == 64 {
		regs[reg][lane], regs[reg+1][lane] = uint32(x), uint32(x>>32)
		return
	}
	mask := uint64(1<<bits-1) << shift
	x = x << shift & mask
	regs[reg][lane] = regs[reg][lane]&^uint32(mask) | uint32(x)
	if shift+bits > 32 {
		regs[reg+1][lane] = regs[reg+1][lane]&^uint32(mask>>32) | uint32(x>>32)
	}
}

// run executes the case and returns the result by block, row and column.
func (c *matrixCase) run(t testing.TB, accA, accB, accD bool) func(block, i, j int) uint64 {
	t.Helper()
	w := &Wave{V: make([]alu.Lanes, 192), A: make([]alu.Lanes, 192), Mode: defaultMode}
	w.SetExec(0x5555) // of no consequence
	file := func(acc bool) []alu.Lanes {
		if acc {
			return w.A
		}
		return w.V
	}
	s, kA := c.s, c.s.k
	if s.sparse {
		kA /= 2
	}
	for block := range s.blocks {
		for i := range s.m {
			for k := range kA {
				reg, lane, shift := where(s.m, kA, s.blocks, s.a.bits(), block, i, k)
				put(file(accA)[matrixA:], reg, lane, shift, s.a.bits(), c.a(block, i, k))
				if s.sparse {
					per := s.m * kA / 64
					at := 2*(k%per) + c.abid*2*per
					w.V[matrixIndex][lane] |= uint32(c.index(i, k)) << at
				}
			}
		}
		for j := range s.n {
			for k := range s.k {
				reg, lane, shift := where(s.n, s.k, s.blocks, s.b.bits(), block, j, k)
				put(file(accB)[matrixB:], reg, lane, shift, s.b.bits(), c.b(block, k, j))
			}
		}
		for i := range s.m {
			for j := range s.n {
				reg, lane := whereResult(s, block, i, j)
				bits := s.result().bits()
				put(file(accD)[c.placeC():], reg*bits/32, lane, 0, bits, c.c(block, i, j))
			}
		}
	}
	for n, f := range c.scales {
		if f == nil {
			continue
		}
		shift := 8 * (c.opSel>>n&1 | c.opSelHi>>n&1<<1)
		for line := range s.m {
			for block := range s.k / 32 {
				put(w.V[matrixScale+n:], 0, block*s.m+line, shift, 8, uint64(f(line, block)))
			}
		}
	}
	lo := 0x1a7<<23 | uint32(c.row.Op)<<16 | uint32(c.abid)<<11 | uint32(c.cbsz)<<8 | matrixD
	src2 := uint32(matrixC)
	if s.sparse {
		src2 = matrixIndex
	}
	hi := uint32(c.blgp)<<29 | (256 + matrixA) | (256+matrixB)<<9 | (256+src2)<<18
	if accA {
		hi |= 1 << 27
	}
	if accB {
		hi |= 1 << 28
	}
	if accD && c.chip != Gfx908 {
		lo |= 1 << 15
	}
	words := []uint32{lo, hi}
	if c.scales[0] != nil {
		words = append([]uint32{scalesMark<<16 | uint32(c.opSel)<<11, 256 + matrixScale | (256+matrixScale+1)<<9 | uint32(c.opSelHi)<<27}, words...)
	}
	matrixStep(t, c.chip, words...)(w)
	require.NotEqual(t, Faulted, w.Status)
	return func(block, i, j int) uint64 {
		reg, lane := whereResult(s, block, i, j)
		d := file(accD)[matrixD:]
		if s.result() == entryF64 {
			return alu.Join(d[2*reg][lane], d[2*reg+1][lane])
		}
		return uint64(d[reg][lane])
	}
}

func (c *matrixCase) placeC() int {
	if c.s.sparse {
		return matrixD
	}
	return matrixC
}

func matrixStep(t testing.TB, chip Chip, code ...uint32) Step {
	t.Helper()
	i, err := Decode(words(code...), 0, chip)
	require.NoError(t, err)
	require.True(t, Executable(&i), "%s has no meaning", &i)
	return i.Row.Do(&i)
}

// matrixValues makes entries of one kind: small integers, ordinary numbers, or anything.
func matrixValue(r *rand.Rand, e entry, kind int) uint64 {
	if e == entryI8 {
		return uint64(r.Uint32() & 0xff)
	}
	small := float64(r.IntN(17) - 8)
	switch e {
	case entryF64:
		switch kind {
		case 0:
			return math.Float64bits(small)
		case 1:
			return math.Float64bits(r.NormFloat64())
		}
		return r.Uint64()
	case entryF32, entryXF32:
		switch kind {
		case 0:
			return b32(small)
		case 1:
			return b32(r.NormFloat64())
		case 2:
			return uint64(r.Uint32()&0x807fffff | uint32(r.IntN(80))<<23)
		}
		return uint64(r.Uint32())
	case entryF16:
		if kind == 0 {
			return refToHalf(small)
		}
		if kind == 1 {
			return refToHalf(r.NormFloat64())
		}
		if kind == 2 {
			return uint64(r.Uint32()&0x83ff) | uint64(r.IntN(10))<<10
		}
		return uint64(r.Uint32() & 0xffff)
	case entryBF16:
		switch kind {
		case 0:
			return b32(small) >> 16
		case 1:
			return b32(r.NormFloat64()) >> 16
		case 2:
			return uint64(r.Uint32()&0x807f) | uint64(r.IntN(80))<<7
		}
		return uint64(r.Uint32() & 0xffff)
	}
	if e >= entryE4M3 {
		x := uint64(r.Uint32()) & (1<<e.bits() - 1)
		if kind < 3 && math.IsNaN(refEntry(e, x)*0) {
			x = 0
		}
		return x
	}
	x := uint64(r.Uint32() & 0xff)
	if kind == 0 {
		x = uint64(map[entry]int{entryFP8: 0x38, entryBF8: 0x3c}[e] + r.IntN(16)) // about 0.5 to 4
	}
	if kind < 3 && x == 0x80 {
		x = 0
	}
	return x
}

func TestMatrixInstructionsAgreeWithReference(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	rounds := 1
	if os.Getenv("MGPU_TEST_LONG") == "1" {
		rounds = 40
	}
	for _, row := range matrixRows() {
		s := shapeOf(t, row)
		for chip := Gfx908; chip < numGFX9; chip++ {
			if !row.Chips.Has(chip) {
				continue
			}
			for round := range rounds * 4 {
				c := randomMatrixCase(r, row, s, chip, round%4)
				if !c.check(t, r) {
					break
				}
			}
		}
	}
}

func matrixRows() (all []*Row) {
	for _, rows := range [][]Row{rowsMFMA(), rowsScaled()} {
		for n := range rows {
			all = append(all, &rows[n])
		}
	}
	return all
}

// mix chooses the formats of A and B, and scales.
func (c *matrixCase) mix(r *rand.Rand, scales bool, kind int) {
	c.mixed = true
	c.cbsz, c.blgp = r.IntN(5), r.IntN(5)
	formats := [5]entry{entryE4M3, entryE5M2, entryE2M3, entryE3M2, entryE2M1}
	c.s.a, c.s.b = formats[c.cbsz], formats[c.blgp]
	if !scales {
		return
	}
	c.abid, c.opSel, c.opSelHi = 1, r.IntN(4), r.IntN(4)
	for n := range c.scales {
		var all [32][4]uint8
		for line := range all {
			for b := range all[line] {
				all[line][b] = uint8(117 + r.IntN(20))
				if kind == 3 {
					all[line][b] = uint8(r.Uint32())
				}
			}
		}
		c.scales[n] = func(line, block int) uint8 { return all[line][block] }
	}
}

func randomMatrixCase(r *rand.Rand, row *Row, s shape, chip Chip, kind int) *matrixCase {
	values := func(e entry, blocks, rows, columns int) func(b, i, k int) uint64 {
		all := make([]uint64, blocks*rows*columns)
		for n := range all {
			all[n] = matrixValue(r, e, kind)
		}
		return func(b, i, k int) uint64 { return all[(b*rows+i)*columns+k] }
	}
	c := &matrixCase{row: row, s: s, chip: chip}
	if s.a == entryMixed {
		c.mix(r, row.Name[:len("v_mfma_scale")] == "v_mfma_scale", kind)
	} else if chip == Gfx950 {
		to := map[entry]entry{entryFP8: entryE4M3, entryBF8: entryE5M2}
		for _, e := range []*entry{&c.s.a, &c.s.b} {
			if ocp, ok := to[*e]; ok {
				*e = ocp
			}
		}
	}
	s = c.s
	kA := s.k
	result := s.result()
	if s.sparse {
		kA /= 2
		pairs := [6][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}
		picks := make([]int, s.m*kA/2)
		for n := range picks {
			picks[n] = r.IntN(6)
		}
		c.index = func(i, entry int) int { return pairs[picks[i*kA/2+entry/2]][entry%2] }
		c.abid = r.IntN(32 / (2 * s.m * kA / 64))
		if s.m*kA/64 == 16 { // one set of indices: both fields say nothing
			c.abid = 0
		}
	} else if s.blocks > 1 && s.a != entryF64 {
		for 1<<(c.cbsz+1) <= s.blocks && r.IntN(2) == 0 {
			c.cbsz++
		}
		c.abid = r.IntN(1 << c.cbsz)
	}
	if !c.mixed && !s.sparse && (s.a != entryF64 || chip >= Gfx942) && (s.blocks > 1 || s.a == entryF32 || s.a == entryF64 || chip < Gfx942) {
		c.blgp = r.IntN(8)
	}
	c.a, c.b = values(s.a, s.blocks, s.m, kA), values(s.b, s.blocks, s.k, s.n)
	if s.a == entryI8 {
		c.c = func(b, i, j int) uint64 { return uint64(uint32(b*7919 + i*104729 - j*1299709)) }
	} else {
		c.c = values(result, s.blocks, s.m, s.n)
	}
	return c
}

// check runs the case with registers of either file and compares.
func (c *matrixCase) check(t *testing.T, r *rand.Rand) bool {
	t.Helper()
	got := c.run(t, r.IntN(2) == 0, r.IntN(2) == 0, c.chip == Gfx908 || r.IntN(2) == 0)
	for block := range c.s.blocks {
		for i := range c.s.m {
			for j := range c.s.n {
				want, x := c.entry(block, i, j), got(block, i, j)
				nans := c.s.a != entryI8 && (c.s.a == entryF64 && alu.OrderF64.IsNaN(want) && alu.OrderF64.IsNaN(x) || c.s.a != entryF64 && alu.IsNaN32(uint32(want)) && alu.IsNaN32(uint32(x)))
				if want != x && !nans {
					t.Errorf("%s on %s: block %d, row %d, column %d (cbsz %d, abid %d, blgp %d): %#x, want %#x", c.row.Name, c.chip, block, i, j, c.cbsz, c.abid, c.blgp, x, want)
					return false
				}
			}
		}
	}
	return true
}
