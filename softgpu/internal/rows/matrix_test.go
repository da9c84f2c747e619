package rows

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// matrixCase is one matrix instruction with its operands as matrices. Values
// are raw bits; a sparse A has k/2 columns.
type matrixCase struct {
	row              *encoding.Row
	s                matrix.Shape
	chip             encoding.Chip
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
func shapeOf(t testing.TB, r *encoding.Row) (s matrix.Shape) {
	t.Helper()
	types := map[string]matrix.Entry{"f32": matrix.EntryF32, "xf32": matrix.EntryXF32, "f64": matrix.EntryF64, "f16": matrix.EntryF16, "bf16": matrix.EntryBF16, "bf16_1k": matrix.EntryBF16,
		"i8": matrix.EntryI8, "fp8": matrix.EntryFP8, "bf8": matrix.EntryBF8, "f8f6f4": matrix.EntryMixed}
	var kind, rest string
	s.Sparse = r.Name[:4] == "v_sm"
	name := strings.Replace(r.Name, "_scale_", "_", 1)[len("v_mfma_f32_"):]
	if s.Sparse {
		name = r.Name[len("v_smfmac_f32_"):]
	}
	_, err := fmt.Sscanf(name, "%dx%dx%d%s", &s.M, &s.N, &s.K, &rest)
	require.NoError(t, err, r.Name)
	s.Blocks = 0
	if n, _ := fmt.Sscanf(rest, "_%db_%s", &s.Blocks, &kind); n < 2 {
		kind = rest
		if kind[0] == '_' {
			kind = kind[1:]
		}
	}
	s.B = matrix.EntryI8 + 100
	if len(kind) == 7 && kind[3] == '_' && kind != "bf16_1k" {
		s.B = types[kind[4:]]
		kind = kind[:3]
	}
	a, ok := types[kind]
	require.True(t, ok, "%s: %s", r.Name, kind)
	s.A = a
	if s.B > matrix.EntryE2M1 {
		s.B = a
	}
	if s.Blocks == 0 {
		// Without a number in the name: what fills the lanes' registers.
		if r.Chips&(encoding.OnGfx942|encoding.OnGfx950) != 0 {
			s.Blocks = 1
			return s
		}
		per := map[string]int{"f32": 1, "xf32": 2, "f64": 1, "f16": 4, "bf16": 2, "bf16_1k": 4, "i8": 4, "fp8": 8, "bf8": 8}[kind]
		s.Blocks = per * 64 / (s.M * s.K)
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
func whereResult(s matrix.Shape, block, i, j int) (reg, lane int) {
	if s.A == matrix.EntryF64 {
		if s.M == 4 {
			return 0, i*16 + block*4 + j
		}
		return i / 4, i%4*16 + j
	}
	switch s.M {
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
	w := &wave.Wave{V: make([]alu.Lanes, 192), A: make([]alu.Lanes, 192), Mode: defaultMode}
	w.SetExec(0x5555) // of no consequence
	file := func(acc bool) []alu.Lanes {
		if acc {
			return w.A
		}
		return w.V
	}
	s, kA := c.s, c.s.K
	if s.Sparse {
		kA /= 2
	}
	for block := range s.Blocks {
		for i := range s.M {
			for k := range kA {
				reg, lane, shift := where(s.M, kA, s.Blocks, s.A.Bits(), block, i, k)
				put(file(accA)[matrixA:], reg, lane, shift, s.A.Bits(), c.a(block, i, k))
				if s.Sparse {
					per := s.M * kA / 64
					at := 2*(k%per) + c.abid*2*per
					w.V[matrixIndex][lane] |= uint32(c.index(i, k)) << at
				}
			}
		}
		for j := range s.N {
			for k := range s.K {
				reg, lane, shift := where(s.N, s.K, s.Blocks, s.B.Bits(), block, j, k)
				put(file(accB)[matrixB:], reg, lane, shift, s.B.Bits(), c.b(block, k, j))
			}
		}
		for i := range s.M {
			for j := range s.N {
				reg, lane := whereResult(s, block, i, j)
				bits := s.Result().Bits()
				put(file(accD)[c.placeC():], reg*bits/32, lane, 0, bits, c.c(block, i, j))
			}
		}
	}
	for n, f := range c.scales {
		if f == nil {
			continue
		}
		shift := 8 * (c.opSel>>n&1 | c.opSelHi>>n&1<<1)
		for line := range s.M {
			for block := range s.K / 32 {
				put(w.V[matrixScale+n:], 0, block*s.M+line, shift, 8, uint64(f(line, block)))
			}
		}
	}
	lo := 0x1a7<<23 | uint32(c.row.Op)<<16 | uint32(c.abid)<<11 | uint32(c.cbsz)<<8 | matrixD
	src2 := uint32(matrixC)
	if s.Sparse {
		src2 = matrixIndex
	}
	hi := uint32(c.blgp)<<29 | (256 + matrixA) | (256+matrixB)<<9 | (256+src2)<<18
	if accA {
		hi |= 1 << 27
	}
	if accB {
		hi |= 1 << 28
	}
	if accD && c.chip != encoding.Gfx908 {
		lo |= 1 << 15
	}
	words := []uint32{lo, hi}
	if c.scales[0] != nil {
		words = append([]uint32{encoding.ScalesMark<<16 | uint32(c.opSel)<<11, 256 + matrixScale | (256+matrixScale+1)<<9 | uint32(c.opSelHi)<<27}, words...)
	}
	matrixStep(t, c.chip, words...)(w)
	require.NotEqual(t, wave.Faulted, w.Status)
	return func(block, i, j int) uint64 {
		reg, lane := whereResult(s, block, i, j)
		d := file(accD)[matrixD:]
		if s.Result() == matrix.EntryF64 {
			return alu.Join(d[2*reg][lane], d[2*reg+1][lane])
		}
		return uint64(d[reg][lane])
	}
}

func (c *matrixCase) placeC() int {
	if c.s.Sparse {
		return matrixD
	}
	return matrixC
}

func matrixStep(t testing.TB, chip encoding.Chip, code ...uint32) encoding.Step {
	t.Helper()
	i, err := Decode(words(code...), 0, chip)
	require.NoError(t, err)
	require.True(t, Executable(&i), "%s has no meaning", &i)
	return i.Row.Do(&i)
}

// matrixValues makes entries of one kind: small integers, ordinary numbers, or anything.
func matrixValue(r *rand.Rand, e matrix.Entry, kind int) uint64 {
	if e == matrix.EntryI8 {
		return uint64(r.Uint32() & 0xff)
	}
	small := float64(r.IntN(17) - 8)
	switch e {
	case matrix.EntryF64:
		switch kind {
		case 0:
			return math.Float64bits(small)
		case 1:
			return math.Float64bits(r.NormFloat64())
		}
		return r.Uint64()
	case matrix.EntryF32, matrix.EntryXF32:
		switch kind {
		case 0:
			return b32(small)
		case 1:
			return b32(r.NormFloat64())
		case 2:
			return uint64(r.Uint32()&0x807fffff | uint32(r.IntN(80))<<23)
		}
		return uint64(r.Uint32())
	case matrix.EntryF16:
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
	case matrix.EntryBF16:
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
	if e >= matrix.EntryE4M3 {
		x := uint64(r.Uint32()) & (1<<e.Bits() - 1)
		if kind < 3 && math.IsNaN(refEntry(e, x)*0) {
			x = 0
		}
		return x
	}
	x := uint64(r.Uint32() & 0xff)
	if kind == 0 {
		x = uint64(map[matrix.Entry]int{matrix.EntryFP8: 0x38, matrix.EntryBF8: 0x3c}[e] + r.IntN(16)) // about 0.5 to 4
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
		for chip := encoding.Gfx908; chip < encoding.NumGFX9; chip++ {
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

func matrixRows() (all []*encoding.Row) {
	for _, rows := range [][]encoding.Row{rowsMFMA(), rowsScaled()} {
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
	formats := [5]matrix.Entry{matrix.EntryE4M3, matrix.EntryE5M2, matrix.EntryE2M3, matrix.EntryE3M2, matrix.EntryE2M1}
	c.s.A, c.s.B = formats[c.cbsz], formats[c.blgp]
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

func randomMatrixCase(r *rand.Rand, row *encoding.Row, s matrix.Shape, chip encoding.Chip, kind int) *matrixCase {
	values := func(e matrix.Entry, blocks, rows, columns int) func(b, i, k int) uint64 {
		all := make([]uint64, blocks*rows*columns)
		for n := range all {
			all[n] = matrixValue(r, e, kind)
		}
		return func(b, i, k int) uint64 { return all[(b*rows+i)*columns+k] }
	}
	c := &matrixCase{row: row, s: s, chip: chip}
	if s.A == matrix.EntryMixed {
		c.mix(r, row.Name[:len("v_mfma_scale")] == "v_mfma_scale", kind)
	} else if chip == encoding.Gfx950 {
		to := map[matrix.Entry]matrix.Entry{matrix.EntryFP8: matrix.EntryE4M3, matrix.EntryBF8: matrix.EntryE5M2}
		for _, e := range []*matrix.Entry{&c.s.A, &c.s.B} {
			if ocp, ok := to[*e]; ok {
				*e = ocp
			}
		}
	}
	s = c.s
	kA := s.K
	result := s.Result()
	if s.Sparse {
		kA /= 2
		pairs := [6][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}
		picks := make([]int, s.M*kA/2)
		for n := range picks {
			picks[n] = r.IntN(6)
		}
		c.index = func(i, entry int) int { return pairs[picks[i*kA/2+entry/2]][entry%2] }
		c.abid = r.IntN(32 / (2 * s.M * kA / 64))
		if s.M*kA/64 == 16 { // one set of indices: both fields say nothing
			c.abid = 0
		}
	} else if s.Blocks > 1 && s.A != matrix.EntryF64 {
		for 1<<(c.cbsz+1) <= s.Blocks && r.IntN(2) == 0 {
			c.cbsz++
		}
		c.abid = r.IntN(1 << c.cbsz)
	}
	if !c.mixed && !s.Sparse && (s.A != matrix.EntryF64 || chip >= encoding.Gfx942) && (s.Blocks > 1 || s.A == matrix.EntryF32 || s.A == matrix.EntryF64 || chip < encoding.Gfx942) {
		c.blgp = r.IntN(8)
	}
	c.a, c.b = values(s.A, s.Blocks, s.M, kA), values(s.B, s.Blocks, s.K, s.N)
	if s.A == matrix.EntryI8 {
		c.c = func(b, i, j int) uint64 { return uint64(uint32(b*7919 + i*104729 - j*1299709)) }
	} else {
		c.c = values(result, s.Blocks, s.M, s.N)
	}
	return c
}

// check runs the case with registers of either file and compares.
func (c *matrixCase) check(t *testing.T, r *rand.Rand) bool {
	t.Helper()
	got := c.run(t, r.IntN(2) == 0, r.IntN(2) == 0, c.chip == encoding.Gfx908 || r.IntN(2) == 0)
	for block := range c.s.Blocks {
		for i := range c.s.M {
			for j := range c.s.N {
				want, x := c.entry(block, i, j), got(block, i, j)
				nans := c.s.A != matrix.EntryI8 && (c.s.A == matrix.EntryF64 && alu.OrderF64.IsNaN(want) && alu.OrderF64.IsNaN(x) || c.s.A != matrix.EntryF64 && alu.IsNaN32(uint32(want)) && alu.IsNaN32(uint32(x)))
				if want != x && !nans {
					t.Errorf("%s on %s: block %d, row %d, column %d (cbsz %d, abid %d, blgp %d): %#x, want %#x", c.row.Name, c.chip, block, i, j, c.cbsz, c.abid, c.blgp, x, want)
					return false
				}
			}
		}
	}
	return true
}
