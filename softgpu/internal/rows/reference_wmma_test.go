package rows

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// The second implementation of RDNA's matrix instructions: exact sums, an entry at a time, and the places of
// entries as AMD's calculator spells them.

// wmmaCase is such an instruction with its operands as matrices of raw bits. A sparse A has k/2 columns.
type wmmaCase struct {
	row    *encoding.Row
	chip   encoding.Chip
	s      matrix.WMMA
	a, b   [16][128]uint32 // a by row and k, b by column and k
	c      [16][16]uint32
	index  [16][64]uint32 // of a's entries
	neg    [3]uint32      // bit 0: neg_lo, bit 1: neg_hi
	clamp  bool
	sel    uint32 // op_sel, or index_key
	const1 bool   // C is the constant 1
	old    bool
	wave32 bool
	wideC  bool // C is of singles, D of bfloats
}

var wmmaEntries = map[string]matrix.Entry{
	"f16": matrix.EntryF16, "bf16": matrix.EntryBF16, "iu8": matrix.EntryI8, "iu4": matrix.EntryI4, "fp8": matrix.EntryE4M3, "bf8": matrix.EntryE5M2,
	"f32": matrix.EntryF32, "i32": matrix.EntryI8,
}

func newWMMACase(t testing.TB, row *encoding.Row, chip encoding.Chip) *wmmaCase {
	c := &wmmaCase{row: row, chip: chip, old: chip.Set() == encoding.GFX11, wave32: chip.IsWave32()}
	parts := strings.Split(row.Name, "_")
	c.s.Sparse = parts[1] == "swmmac"
	c.s.D = wmmaEntries[parts[2]]
	var m, n int
	_, err := fmt.Sscanf(parts[3], "%dx%dx%d", &m, &n, &c.s.K)
	require.NoError(t, err)
	c.s.A, c.s.B = wmmaEntries[parts[4]], wmmaEntries[parts[len(parts)-1]]
	if parts[2] == "bf16f32" {
		c.s.D, c.wideC = matrix.EntryBF16, true
	}
	c.s.New = chip.Set() == encoding.GFX1250 && row.Op >= 0x5d
	return c
}

// at tells the lane and the number in it of entry k of a line, and for copies that there are several.
func (c *wmmaCase) at(k int, b bool) (lane, n, copies int) {
	lanes := 64
	if c.wave32 {
		lanes = 32
	}
	if c.old {
		return 0, k, lanes / 16
	}
	bits := c.s.A.Bits()
	full := k // in a sparse A: one of the four that the entry comes from
	if c.s.Sparse && !b {
		full = k / 2 * 4
	}
	pick := func(register, shift int) int { return register*32/bits + shift/bits }
	switch {
	case c.s.New && c.s.Sparse && b: // GFX12.5: eight registers of B in turn from each half of the wave
		return 16 * (k / (256 / bits) % 2), k/(512/bits)*(256/bits) + k%(256/bits), 1
	case c.s.New && c.s.Sparse: // four of A
		return 16 * (k / (128 / bits) % 2), k/(256/bits)*(128/bits) + k%(128/bits), 1
	case c.s.New && bits == 32:
		return 16 * (k / 2), k % 2, 1
	case c.s.New && bits == 16:
		return 16 * (k / 8 % 2), k/16*8 + k%8, 1
	case c.s.New:
		return 16 * (k / 16 % 2), k/32*16 + k%16, 1
	}
	sparseA := c.s.Sparse && !b
	if c.wave32 {
		switch {
		case sparseA && bits == 16:
			return 16 * (full / 8 % 2), pick(2*(full/16)+full/4%2, 16*(k%2)), 1
		case sparseA && bits == 8:
			return 16 * (full / 16), pick(full/8%2, 16*(full/4%2)+8*(k%2)), 1
		case sparseA && c.s.K == 32:
			return 16 * (full / 16), pick(0, 8*(full/4%4)+4*(k%2)), 1
		case sparseA:
			return 16 * (full / 32), pick(full/16%2, 8*(full/4%4)+4*(k%2)), 1
		case c.s.Sparse && bits == 16:
			return 16 * (k / 8 % 2), pick(4*(k/16)+k/2%4, 16*(k%2)), 1
		case c.s.Sparse && bits == 8:
			return 16 * (k / 16), pick(k/4%4, 8*(k%4)), 1
		case c.s.Sparse && c.s.K == 32:
			return 16 * (k / 16), pick(k/8%2, 4*(k%8)), 1
		case c.s.Sparse:
			return 16 * (k / 32), pick(k/8%4, 4*(k%8)), 1
		case bits == 16:
			return 16 * (k / 4 % 2), pick(2*(k/8)+k/2%2, 16*(k%2)), 1
		case bits == 8:
			return 16 * (k / 8), pick(k/4%2, 8*(k%4)), 1
		case c.s.K == 16:
			return 16 * (k / 8), pick(0, 4*(k%8)), 1
		}
		return 16 * (k / 16), pick(k/8%2, 4*(k%8)), 1
	}
	switch {
	case sparseA && bits == 16:
		return 16 * (full / 8), pick(full/4%2, 16*(k%2)), 1
	case sparseA && bits == 8:
		return 32*(full/8%2) + 16*(full/16), pick(0, 16*(full/4%2)+8*(k%2)), 1
	case sparseA && c.s.K == 32:
		return 16 * (full / 16), pick(0, 8*(full/4%4)+4*(k%2)), 1
	case sparseA:
		return 32*(full/16%2) + 16*(full/32), pick(0, 8*(full/4%4)+4*(k%2)), 1
	case c.s.Sparse && bits == 16:
		return 16 * (k / 8), pick(k/2%4, 16*(k%2)), 1
	case c.s.Sparse && bits == 8:
		return 32*(k/8%2) + 16*(k/16), pick(k/4%2, 8*(k%4)), 1
	case c.s.Sparse && c.s.K == 32:
		return 32*(k/8%2) + 16*(k/16), pick(0, 4*(k%8)), 1
	case c.s.Sparse:
		return 32*(k/16%2) + 16*(k/32), pick(k/8%2, 4*(k%8)), 1
	case bits == 16:
		return 32*(k/8%2) + 16*(k/4%2), pick(k/2%2, 16*(k%2)), 1
	case bits == 8:
		return 32*(k/4%2) + 16*(k/8%2), pick(0, 8*(k%4)), 1
	case c.s.K == 16:
		return 16 * (k / 8), pick(0, 4*(k%8)), 1
	}
	return 32*(k/8%2) + 16*(k/16%2), pick(0, 4*(k%8)), 1
}

// result tells where an entry of C or D is: register, lane and first bit.
func (c *wmmaCase) result(i, j int) (reg, lane, shift int) {
	short := c.s.D == matrix.EntryF16 || c.s.D == matrix.EntryBF16
	switch {
	case c.old && c.wave32:
		reg, lane = i/2, 16*i%32+j
	case c.old:
		reg, lane = i/4, 16*i%64+j
	case c.wave32:
		reg, lane = i%8, 16*(i/8)+j
	default:
		reg, lane = i%4, 32*(i/4%2)+16*(i/8)+j
	}
	switch {
	case short && c.old:
		shift = int(c.sel>>2&1) * 16
	case short:
		reg, shift = reg/2, reg%2*16
	}
	return reg, lane, shift
}

func (c *wmmaCase) bitsOfD() int {
	if c.s.D == matrix.EntryF16 || c.s.D == matrix.EntryBF16 {
		return 16
	}
	return 32
}

// Registers of these tests. D is not C, but where A is sparse.
const (
	wmmaA, wmmaB, wmmaC, wmmaD, wmmaIndex = 8, 24, 48, 64, 80 // of up to 16 registers
)

// run executes the case; before is what stood in D.
func (c *wmmaCase) run(t testing.TB, before uint32) func(i, j int) uint32 {
	t.Helper()
	w := &wave.Wave{V: make([]alu.Lanes, 96), Mode: defaultMode}
	w.SetSize(c.wave32)
	w.SetExec(1<<32 - 1)
	put16 := func(first, n, bits, lane int, x uint32) {
		put(w.V[first:], n*bits/32, lane, n*bits%32, bits, uint64(x))
	}
	fill := func(first int, of *[16][128]uint32, depth, bits int, b bool) {
		for line := range 16 {
			for k := range depth {
				lane, n, copies := c.at(k, b)
				for copied := range copies {
					put16(first, n, bits, lane+16*copied+line, of[line][k])
				}
				if c.s.Sparse && c.s.New && !b { // half of the indices of a row in each half of the wave
					e := k % (depth / 2)
					w.V[wmmaIndex+e/16][k/(depth/2)*16+line] |= c.index[line][k] << (e % 16 * 2)
				} else if c.s.Sparse && !b {
					per := 16 * depth / 32
					if !c.wave32 && (bits != 4 || c.s.K != 32) {
						per /= 2
					}
					w.V[wmmaIndex][lane+line] |= c.index[line][k] << (2*n + int(c.sel)*2*per)
				}
			}
		}
	}
	fill(wmmaA, &c.a, c.s.Depth(), c.s.A.Bits(), false)
	fill(wmmaB, &c.b, c.s.K, c.s.B.Bits(), true)
	first := wmmaC
	for r := wmmaD; r < wmmaD+8; r++ {
		w.V[r].Fill(before)
	}
	if c.s.Sparse {
		first = wmmaD
	}
	for i := range 16 {
		for j := range 16 {
			reg, lane, shift := c.result(i, j)
			if c.wideC {
				put(w.V[first:], i%8, lane, 0, 32, uint64(c.c[i][j]))
				continue
			}
			put(w.V[first:], reg, lane, shift, c.bitsOfD(), uint64(c.c[i][j]))
		}
	}
	lo := 0xcc000000 | uint32(c.row.Op)<<16 | 1<<14 | wmmaD | c.sel<<11
	hi := uint32(256+wmmaA) | (256+wmmaB)<<9 | (256+wmmaC)<<18 | 3<<27
	switch {
	case c.const1:
		hi = hi&^(0x1ff<<18) | 242<<18
	case c.s.Sparse:
		hi = hi&^(0x1ff<<18) | (256+wmmaIndex)<<18
	}
	for n, bits := range c.neg {
		hi |= bits & 1 << (29 + n)
		lo |= bits >> 1 << (8 + n)
	}
	if c.clamp {
		lo |= 1 << 15
	}
	matrixStep(t, c.chip, lo, hi)(w)
	require.NotEqual(t, wave.Faulted, w.Status)
	return func(i, j int) uint32 {
		reg, lane, shift := c.result(i, j)
		return uint32(uint64(w.V[wmmaD+reg][lane]) >> shift & (1<<c.bitsOfD() - 1))
	}
}

// wmmaNumber is an entry as a number. Denormal bfloats are zeros.
func wmmaNumber(e matrix.Entry, x uint32, signed bool) float64 {
	switch e {
	case matrix.EntryI8, matrix.EntryI4:
		bits := e.Bits()
		if signed && x>>(bits-1)&1 != 0 {
			return float64(x) - float64(int(1)<<bits)
		}
		return float64(x)
	case matrix.EntryF32:
		if x&0x7f800000 == 0 {
			return math.Copysign(0, float64(1-2*int(x>>31)))
		}
		return f32of(uint64(x))
	case matrix.EntryBF16:
		if x&0x7f80 == 0 {
			return math.Copysign(0, float64(1-2*int(x>>15&1)))
		}
	}
	return refEntry(e, uint64(x))
}

// entry is entry i, j of the result.
func (c *wmmaCase) entry(i, j int) uint32 {
	var x, y []float64
	for k := range c.s.Depth() {
		from := k
		if c.s.Sparse {
			from = k/2*4 + int(c.index[i][k])
		}
		p, q := wmmaNumber(c.s.A, c.a[i][k], c.neg[0]&1 != 0), wmmaNumber(c.s.B, c.b[j][from], c.neg[1]&1 != 0)
		if !c.s.Integers() {
			// neg_lo changes entries in lower halves of registers, neg_hi those in upper ones
			half := func(k int) int { return k % (32 / max(c.s.A.Bits(), 16)) }
			if c.neg[0]>>half(k)&1 != 0 {
				p = -p
			}
			if c.neg[1]>>half(from)&1 != 0 {
				q = -q
			}
		}
		x, y = append(x, p), append(y, q)
	}
	third := c.c[i][j]
	if c.const1 {
		third = map[matrix.Entry]uint32{matrix.EntryF32: 0x3f800000, matrix.EntryI8: 0x3f800000, matrix.EntryF16: 0x3c00, matrix.EntryBF16: 0x3f80}[c.s.D]
		if c.wideC {
			third = 0x3f800000
		}
	}
	if c.s.Integers() {
		sum := int64(int32(third))
		for k := range x {
			sum += int64(x[k] * y[k])
		}
		if c.clamp {
			sum = max(math.MinInt32, min(math.MaxInt32, sum))
		}
		return uint32(sum)
	}
	var last float64
	format := c.s.D
	if c.wideC {
		format = matrix.EntryF32
	}
	switch format {
	case matrix.EntryF32:
		if last = float64(math.Float32frombits(third)); math.Abs(last) < 0x1p-126 {
			last = math.Copysign(0, last)
		}
	default:
		last = wmmaNumber(format, third, false)
	}
	if c.neg[2]&2 != 0 {
		last = math.Abs(last)
	}
	if c.neg[2]&1 != 0 {
		last = -last
	}
	return refWMMASum(c.s.D, append(x, last), append(y, 1))
}

// refWMMASum is the exact sum of products, rounded once.
func refWMMASum(e matrix.Entry, x, y []float64) uint32 {
	nan := map[matrix.Entry]uint32{matrix.EntryF32: 0x7fc00000, matrix.EntryF16: 0x7e00, matrix.EntryBF16: 0x7fc0}[e]
	inf := map[matrix.Entry]uint32{matrix.EntryF32: 0x7f800000, matrix.EntryF16: 0x7c00, matrix.EntryBF16: 0x7f80}[e]
	fraction := map[matrix.Entry]uint{matrix.EntryF32: 23, matrix.EntryF16: 10, matrix.EntryBF16: 7}[e]
	bias := map[matrix.Entry]int{matrix.EntryF32: 127, matrix.EntryF16: 15, matrix.EntryBF16: 127}[e]
	sign := map[matrix.Entry]uint32{matrix.EntryF32: 1 << 31, matrix.EntryF16: 1 << 15, matrix.EntryBF16: 1 << 15}[e]
	infinite, negative := 0.0, true
	whole := new(big.Float).SetPrec(4000)
	for n := range x {
		p := x[n] * y[n]
		switch {
		case p != p, math.IsInf(p, 0) && infinite != 0 && infinite != p:
			return nan
		case math.IsInf(p, 0):
			infinite = p
		default:
			whole.Add(whole, new(big.Float).SetPrec(200).SetFloat64(p))
		}
		negative = negative && math.Signbit(p)
	}
	switch {
	case infinite > 0:
		return inf
	case infinite < 0:
		return sign | inf
	case whole.Sign() == 0 && negative:
		return sign
	case whole.Sign() == 0:
		return 0
	}
	r := uint32(0)
	if whole.Sign() < 0 {
		r = sign
		whole.Neg(whole)
	}
	exponent := max(whole.MantExp(nil)-1, 1-bias) // of the leading bit, or of denormals
	unit := new(big.Float).SetMantExp(big.NewFloat(1), exponent-int(fraction))
	units, _ := new(big.Float).SetPrec(4000).Quo(whole, unit).Int(nil)
	rest := new(big.Float).SetPrec(4000).Sub(new(big.Float).SetPrec(4000).Quo(whole, unit), new(big.Float).SetInt(units))
	kept := units.Uint64()
	if half := rest.Cmp(big.NewFloat(0.5)); half > 0 || half == 0 && kept&1 != 0 {
		kept++
	}
	bits := kept + uint64(exponent+bias-1)<<fraction
	switch {
	case bits >= uint64(inf):
		return r | inf
	case e != matrix.EntryF16 && bits < 1<<fraction:
		return r
	}
	return r | uint32(bits)
}
