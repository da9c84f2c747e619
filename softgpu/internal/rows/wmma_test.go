package rows

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wmmaValue makes an entry of one kind: small integers, ordinary numbers, numbers far apart, or anything.
func wmmaValue(r *rand.Rand, e matrix.Entry, kind int) uint32 {
	extreme := map[matrix.Entry][]uint32{
		matrix.EntryF16:  {0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01},
		matrix.EntryBF16: {0, 0x8000, 1, 0x8001, 0x7f, 0x80, 0x3f80, 0xbf80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81},
		matrix.EntryE4M3: {0, 0x80, 1, 0x81, 7, 8, 0x38, 0xb8, 0x7e, 0xfe, 0x7f, 0xff}, matrix.EntryE5M2: {0, 0x80, 1, 0x81, 3, 4, 0x3c, 0xbc, 0x7b, 0xfb, 0x7c, 0xfc, 0x7d},
		matrix.EntryI8: {0, 1, 0x7f, 0x80, 0xff}, matrix.EntryI4: {0, 1, 7, 8, 15},
		matrix.EntryF32: {0, 1 << 31, 1, 0x7fffff, 0x800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000},
	}[e]
	switch {
	case kind == 3 && r.IntN(12) == 0:
		return extreme[r.IntN(len(extreme))]
	case e == matrix.EntryF32 && kind == 3:
		return r.Uint32()&0x80ffffff | r.Uint32()&0x3f<<24
	case e == matrix.EntryI8 || e == matrix.EntryI4 || kind >= 2 && e.Bits() == 8:
		return r.Uint32() & (1<<e.Bits() - 1)
	case e == matrix.EntryE4M3:
		return alu.OcpE4M3.Round(r.NormFloat64(), alu.SmallRounding{})
	case e == matrix.EntryE5M2:
		return alu.OcpE5M2.Round(r.NormFloat64(), alu.SmallRounding{})
	}
	return uint32(matrixValue(r, e, min(kind, 2)))
}

// wmmaRows are the matrix instructions of a chip, on matrices of 16 rows whose formats they tell.
func wmmaRows(chip encoding.Chip) (rows []*encoding.Row) {
	for _, row := range tableOf(chip)[encoding.VOP3P] {
		if row != nil && row.Form.Has(encoding.WMMA) && row.Do != nil && !row.Form.Has(encoding.MatrixFormats) && strings.Contains(row.Name, "_16x16x") {
			rows = append(rows, row)
		}
	}
	return rows
}

// wmmaChips are those of rdnaChips that multiply matrices.
var wmmaChips = rdnaChips[2:]

// TestMatricesOfRDNAAgreeWithReference multiplies matrices of all kinds with every instruction of each chip.
func TestMatricesOfRDNAAgreeWithReference(t *testing.T) {
	t.Parallel()
	cases := 24
	if testing.Short() {
		cases = 4 // one of each kind
	}
	for _, chip := range wmmaChips {
		rows := wmmaRows(chip)
		require.GreaterOrEqual(t, len(rows), 6)
		for _, row := range rows {
			r := rand.New(rand.NewPCG(uint64(row.Op), uint64(chip)))
			for n := range cases {
				c := newWMMACase(t, row, chip)
				c.fill(r, n%4)
				got := c.run(t, 0xabcd1234)
				for i := range 16 {
					for j := range 16 {
						if want, have := c.entry(i, j), got(i, j); want != have {
							require.Fail(t, "wrong entry", "%s %s, case %d: entry %d, %d: want %#x, have %#x", chipName(chip), row.Name, n, i, j, want, have)
						}
					}
				}
			}
		}
	}
}

// fill makes matrices and modifiers.
func (c *wmmaCase) fill(r *rand.Rand, kind int) {
	var lo, hi uint8 = 7, 7
	f := c.row.Form
	if c.old {
		if c.s.Integers() {
			lo, hi = 3, 0
		}
	} else {
		lo, hi = map[bool]uint8{true: 3, false: 7}[c.s.Sparse], map[bool]uint8{true: 3, false: 7}[c.s.Sparse]
		switch {
		case c.s.Integers():
			lo, hi = 3, 0
		case c.s.A.Bits() == 8 && c.s.Sparse:
			lo, hi = 0, 0
		case c.s.A.Bits() == 8:
			lo, hi = 4, 4
		case c.s.A.Bits() == 32:
			lo, hi = 7, 4
		}
	}
	if r.IntN(2) == 0 {
		for n := range c.neg {
			c.neg[n] = uint32(lo>>n&1)&r.Uint32() | uint32(hi>>n&1)&r.Uint32()<<1
		}
	}
	c.clamp = c.s.Integers() && r.IntN(2) == 0
	c.const1 = !c.s.Sparse && r.IntN(8) == 0
	switch {
	case f.Has(encoding.HasOpSel):
		c.sel = uint32(r.IntN(2)) << 2
	case c.s.Sparse && c.s.New:
		c.sel = uint32(r.IntN(2)) << 2 // matrix_a_reuse, which changes nothing
	case c.s.Sparse:
		keys := 32 / (16 * c.s.Depth() / 32 * 2)
		if !c.wave32 && (c.s.A.Bits() != 4 || c.s.K != 32) {
			keys *= 2
		}
		c.sel = uint32(r.IntN(keys))
	}
	for line := range 16 {
		for k := range c.s.K {
			c.b[line][k] = wmmaValue(r, c.s.B, kind)
		}
		for k := range c.s.Depth() {
			c.a[line][k] = wmmaValue(r, c.s.A, kind)
		}
		for k := 0; c.s.Sparse && k < c.s.Depth(); k += 2 {
			pair := [][2]uint32{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}[r.IntN(6)]
			c.index[line][k], c.index[line][k+1] = pair[0], pair[1]
		}
		for j := range 16 {
			switch c.s.D {
			case matrix.EntryI8:
				c.c[line][j] = r.Uint32()
				if kind == 3 {
					c.c[line][j] = []uint32{0x7fffffff, 0x80000000, 0, 0xffffffff}[r.IntN(4)]
				}
			default:
				c.c[line][j] = wmmaValue(r, c.s.D, kind)
			}
		}
	}
}

// TestHalfResultsKeepTheOtherHalf: of RDNA3's results of 16 bits, op_sel chooses where they go.
func TestHalfResultsKeepTheOtherHalf(t *testing.T) {
	for _, chip := range []encoding.Chip{encoding.Gfx1100, encoding.Gfx1100.Wave32()} {
		row := tableOf(chip)[encoding.VOP3P][0x42]
		require.Equal(t, "v_wmma_f16_16x16x16_f16", row.Name)
		for sel := range uint32(2) {
			c := newWMMACase(t, row, chip)
			c.fill(rand.New(rand.NewPCG(1, 2)), 0)
			c.sel = sel << 2
			got := c.run(t, 0xabcd1234)
			c.sel = (1 - sel) << 2
			assert.Equal(t, []uint32{0xabcd, 0x1234}[sel], got(3, 4))
		}
	}
}

// TestEachHalfOfRDNA3MultipliesWithItsOwnCopy: a kernel that fills one copy of B gets wrong rows.
func TestEachHalfOfRDNA3MultipliesWithItsOwnCopy(t *testing.T) {
	chip := encoding.Gfx1100.Wave32()
	w := &wave.Wave{V: make([]alu.Lanes, 96)}
	w.SetSize(true)
	for r := range 8 {
		w.V[wmmaA+r].Fill(0x3c003c00)
		for l := range 16 {
			w.V[wmmaB+r][l] = 0x3c003c00
		}
	}
	matrixStep(t, chip, 0xcc404000|wmmaD, 256+wmmaA|(256+wmmaB)<<9|128<<18|3<<27)(w)
	assert.Equal(t, math.Float32bits(16), w.V[wmmaD][5], "row 0")
	assert.Zero(t, w.V[wmmaD][16+5], "row 1")
}

// BenchmarkWMMA times one multiplication of ordinary numbers, whose sums are exact in doubles, and
// of numbers too far apart for that.
func BenchmarkWMMA(b *testing.B) {
	for _, chip := range wmmaChips {
		for _, row := range wmmaRows(chip) {
			for kind, name := range map[int]string{1: "", 2: " far apart"} {
				c := newWMMACase(b, row, chip)
				if kind == 2 && c.s.Integers() {
					continue
				}
				b.Run(chipName(chip)+" "+row.Name+name, func(b *testing.B) {
					w := &wave.Wave{V: make([]alu.Lanes, 96), Mode: defaultMode}
					w.SetSize(c.wave32)
					r := rand.New(rand.NewPCG(1, 2))
					for n := range 64 {
						for l := range 64 {
							x := wmmaValue(r, c.s.A, kind)
							for at := c.s.A.Bits(); at < 32; at += c.s.A.Bits() {
								x = x<<c.s.A.Bits() | wmmaValue(r, c.s.A, kind)
							}
							w.V[n][l] = x
						}
					}
					src2 := uint32(256 + wmmaC)
					lo, hi := 0xcc004000|uint32(row.Op)<<16|wmmaD, 256+wmmaA|(256+wmmaB)<<9|src2<<18|3<<27
					benchStep(b, w, matrixStep(b, chip, lo, hi))
				})
			}
		}
	}
}

// mixedCase is a pair of formats: kind 0 has no scales, 1 scales near 1, 2 any. tall is the instruction with 32 rows.
type mixedCase struct {
	formats [2]int
	kind    int
	block   int // entries that share a scale
	tall    bool
}

// TestMixedMatricesAgreeWithReference multiplies matrices of all pairs of formats, without scales and with them.
func TestMixedMatricesAgreeWithReference(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 50))
	for a := range 5 {
		for b := range 5 {
			for kind := range 3 {
				mixedCase{formats: [2]int{a, b}, kind: kind, block: 32}.try(t, r)
			}
			mixedCase{formats: [2]int{a, b}, kind: 1 + r.IntN(2), block: 16}.try(t, r)
		}
	}
	for kind := range 3 {
		for _, block := range []int{16, 32} {
			mixedCase{[2]int{4, 4}, kind, block, true}.try(t, r)
		}
	}
}

// TestScalesOfMatricesThatAreRefused are of other formats, of the wave's upper half for 32 rows, and in scalar registers.
func TestScalesOfMatricesThatAreRefused(t *testing.T) {
	const vectors, four = 256 + 80 | (256+82)<<9 | 256<<18, 256 + 16 | (256+32)<<9 | (256+48)<<18 | 3<<27
	for _, words := range [][]uint32{
		{0xcc350000, vectors | 1<<29, 0xcc330008, 256 + 16 | (256+32)<<9 | (256+48)<<18},
		{0xcc3a0100, vectors, 0xcc884040, four},
		{0xcc350800, vectors, 0xcc884040, four},
		{0xcc350000, 80 | (256+82)<<9 | 256<<18, 0xcc884040, four},
	} {
		i := mustDecode(t, encoding.Gfx1250.Wave32(), words...)
		require.Nil(t, i.Row.Do(&i), i.String())
	}
}

func (c mixedCase) try(t *testing.T, r *rand.Rand) {
	t.Helper()
	w := &wave.Wave{V: make([]alu.Lanes, 96), Mode: defaultMode}
	w.SetSize(true)
	w.SetExec(1<<32 - 1)
	lines := [2]int{16, 16}
	row := [2]uint32{r.Uint32N(2), r.Uint32N(2)}
	if c.tall {
		lines[0], row[0] = 32, 0
	}
	var number [2][32][128]float64
	var scale [2][32][8]uint32
	for n, first := range [2]int{16, 32} {
		e := matrix.MatrixFormats[c.formats[n]]
		bits := e.Bits()
		for line := range lines[n] {
			for k := range 128 {
				x := r.Uint32() & (1<<bits - 1)
				if c.kind < 2 { // no infinities and NaNs
					for v := refEntry(e, uint64(x)); v-v != 0; v = refEntry(e, uint64(x)) {
						x = r.Uint32() & (1<<bits - 1)
					}
				}
				number[n][line][k] = refEntry(e, uint64(x))
				lane, entry := line%16+k%32/16*16, k/32*16+k%16
				if bits < 8 {
					lane, entry = line%16+k%64/32*16, k/64*32+k%32
				}
				for at := range bits {
					w.V[first+line/16*8+(entry*bits+at)/32][lane] |= x >> at & 1 << ((entry*bits + at) % 32)
				}
			}
			for block := range 128 / c.block {
				s := map[int]uint32{1: 120 + r.Uint32N(15), 2: r.Uint32() & 255}[c.kind]
				scale[n][line][block] = s
				w.V[80+2*n+block/4][int(row[n])*16+line] |= s << (8 * (block % 4))
			}
		}
	}
	const from, to = 48, 64 // registers of C and D
	lo, hi := uint32(0xcc330000|to|uint32(c.formats[0])<<11|uint32(c.formats[1])>>2<<14), uint32(256+16|(256+32)<<9)|uint32(c.formats[1])&3<<27
	if c.tall {
		lo, hi = 0xcc884000|to, 256+16|(256+32)<<9|3<<27
	}
	negative := r.Uint32N(2)
	hi |= negative<<31 | (256+from)<<18
	words := []uint32{lo, hi}
	if c.kind > 0 {
		mark := uint32(0xcc350000)
		if c.block == 16 {
			mark = 0xcc3a0000
		}
		words = []uint32{mark | row[0]<<11, 256 + 80 | (256+82)<<9 | 256<<18 | row[1]<<27, lo, hi}
	}
	for reg := from; reg < from+16; reg++ {
		for l := range 32 {
			w.V[reg][l] = wmmaValue(r, matrix.EntryF32, 1)
		}
	}
	i := mustDecode(t, encoding.Gfx1250.Wave32(), words...)
	step := i.Row.Do(&i)
	require.NotNil(t, step, i.String())
	step(w)
	for row := range lines[0] {
		for column := range 16 {
			var x, y []float64
			for k := range 128 {
				p, q := number[0][row][k], number[1][column][k]
				if c.kind > 0 {
					power := func(n int) float64 {
						if n == 255 {
							return math.NaN()
						}
						return math.Ldexp(1, n-127)
					}
					p, q = p*power(int(scale[0][row][k/c.block])), q*power(int(scale[1][column][k/c.block]))
				}
				x, y = append(x, p), append(y, q)
			}
			reg, lane := row/16*8+row%8, row%16/8*16+column
			third := f32of(uint64(w.V[from+reg][lane]))
			if math.Abs(third) < 0x1p-126 {
				third = math.Copysign(0, third)
			}
			if negative != 0 {
				third = -third
			}
			want := refWMMASum(matrix.EntryF32, append(x, third), append(y, 1))
			require.Equal(t, want, w.V[to+reg][lane], "%s: entry %d, %d", &i, row, column)
		}
	}
}
