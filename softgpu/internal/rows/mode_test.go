package rows

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// The second implementation of rounding: exact values as big.Float, a grid of
// numbers to choose from, and a choice by comparing with its middle.

// grid is a format as a set of numbers: bits of the mantissa, the exponents of
// the least normal and the largest number.
type grid struct {
	letter          byte
	mantissa        int
	least, greatest int
}

var grids = map[byte]grid{'h': {'h', 10, -14, 15}, 'f': {'f', 23, -126, 127}, 'F': {'F', 52, -1022, 1023}}

func (g grid) value(x uint64) float64 {
	switch g.letter {
	case 'h':
		return refHalf(x & 0xffff)
	case 'f':
		return f32of(x)
	}
	return f64of(x)
}

// bitsOf puts a number together from its magnitude in units of the last place of binade e.
func (g grid) bits(neg bool, units *big.Int, e int) uint64 {
	m := units.Uint64()
	if m>>g.mantissa > 1 {
		m >>= 1
		e++
	}
	width := map[byte]int{'h': 15, 'f': 31, 'F': 63}[g.letter]
	if m>>g.mantissa != 0 {
		m = m&(1<<g.mantissa-1) | uint64(e-g.least+1)<<g.mantissa
	}
	if neg {
		m |= 1 << width
	}
	return m
}

func (g grid) inf(neg bool) uint64 {
	return g.bits(neg, new(big.Int).Lsh(big.NewInt(1), uint(g.mantissa)), g.greatest+1)
}

// round rounds an exact value that is not 0.
func (g grid) round(x *big.Float, to alu.Rounding, stay bool) uint64 {
	neg := x.Sign() < 0
	abs := new(big.Float).Abs(x)
	e := max(abs.MantExp(nil)-1, g.least)
	scaled := new(big.Float).SetPrec(6000).SetMantExp(abs, g.mantissa-e)
	units, _ := scaled.Int(nil)
	rest := scaled.Sub(scaled, new(big.Float).SetPrec(6000).SetInt(units))
	half := rest.Cmp(big.NewFloat(0.5))
	up := false
	switch to {
	case alu.ToNearest:
		up = half > 0 || half == 0 && units.Bit(0) == 1
	case alu.Upward:
		up = rest.Sign() != 0 && !neg
	case alu.Downward:
		up = rest.Sign() != 0 && neg
	}
	if up {
		units.Add(units, big.NewInt(1))
	}
	if e > g.greatest || e == g.greatest && units.BitLen() > g.mantissa+1 {
		if stay || to == alu.TowardZero || to == alu.Upward && neg || to == alu.Downward && !neg {
			return g.inf(neg) - 1
		}
		return g.inf(neg)
	}
	return g.bits(neg, units, e)
}

// exactly is an exact result; if it is 0 or no number, plain is it.
type exactly struct {
	x     *big.Float
	plain float64
}

func (g grid) of(r exactly, to alu.Rounding, stay bool) uint64 {
	if r.x != nil && r.x.Sign() != 0 {
		return g.round(r.x, to, stay)
	}
	switch {
	case r.plain != r.plain:
		return g.inf(false) | 1<<(g.mantissa-1)
	case math.IsInf(r.plain, 0):
		return g.inf(r.plain < 0)
	}
	return g.bits(math.Signbit(r.plain), new(big.Int), g.least)
}

func (g grid) flush(x uint64, keep bool) uint64 {
	if v := g.value(x); keep || v != v || math.Abs(v) >= math.Ldexp(1, g.least) {
		return x
	}
	return g.bits(math.Signbit(g.value(x)), new(big.Int), g.least)
}

// result rounds; without denormals, what has become one by rounding is zero, and so
// is what a format without an end of exponents would have below the least normal number.
func (g grid) result(r exactly, to alu.Rounding, stay, keep bool) uint64 {
	x := g.of(r, to, stay)
	if !keep && r.x != nil && r.x.Sign() != 0 && r.x.MantExp(nil) == g.least { // from half the least normal number to it
		twice := g.value(g.round(new(big.Float).SetMantExp(r.x, 1), to, stay))
		if math.Abs(twice) < math.Ldexp(1, g.least+1) {
			return g.bits(r.x.Sign() < 0, new(big.Int), g.least)
		}
	}
	return g.flush(x, keep)
}

// sum is a + b, of which a may be exact; a zero that is not a sum of zeros is negative only downward.
func sum(a exactly, b float64, to alu.Rounding) exactly {
	if a.x == nil || !finite(b) {
		return exactly{nil, a.plain + b}
	}
	x := new(big.Float).SetPrec(6000).Add(a.x, exact(b))
	zero := 0.0
	switch {
	case a.x.Sign() == 0 && b == 0 && math.Signbit(a.plain) == math.Signbit(b):
		zero = b
	case to == alu.Downward:
		zero = math.Copysign(0, -1)
	}
	return exactly{x, zero}
}

func product(a, b float64) exactly {
	if !finite(a, b) {
		return exactly{nil, a * b}
	}
	zero := 0.0
	if math.Signbit(a) != math.Signbit(b) {
		zero = math.Copysign(0, -1)
	}
	return exactly{new(big.Float).SetPrec(6000).Mul(exact(a), exact(b)), zero}
}

func itself(a float64) exactly {
	if !finite(a) {
		return exactly{nil, a}
	}
	return exactly{exact(a), a}
}

func power(r exactly, by int) exactly {
	if r.x != nil {
		r.x = new(big.Float).SetMantExp(r.x, by)
	}
	return r
}

// modeCase is an instruction that rounds: letters of its sources and of its
// result as in reference, and what it is before rounding.
type modeCase struct {
	name    string
	in      string
	out     byte
	f       func(a, b, c float64, to alu.Rounding) exactly
	twice   func(g grid, a, b, c uint64, to alu.Rounding, stay bool) uint64 // in place of f: rounds by itself
	flushes bool                                                            // knows no denormals
	adds    bool                                                            // the destination is the third source
	packed  bool                                                            // two halves in a register
	pairs   bool                                                            // two singles in two registers
	chip    encoding.Chip
	vcc     bool
	code    []uint32 // of RDNA, with v20 as destination and v4, v8 and v12 as sources
}

func modeCases() []modeCase {
	add := func(a, b, _ float64, to alu.Rounding) exactly { return sum(itself(a), b, to) }
	sub := func(a, b, _ float64, to alu.Rounding) exactly { return sum(itself(a), -b, to) }
	subrev := func(a, b, _ float64, to alu.Rounding) exactly { return sum(itself(b), -a, to) }
	mul := func(a, b, _ float64, _ alu.Rounding) exactly { return product(a, b) }
	fma := func(a, b, c float64, to alu.Rounding) exactly { return sum(product(a, b), c, to) }
	same := func(a, _, _ float64, _ alu.Rounding) exactly { return itself(a) }
	legacy := func(a, b, _ float64, _ alu.Rounding) exactly {
		if a == 0 || b == 0 {
			return exactly{}
		}
		return product(a, b)
	}
	fract := func(a, _, _ float64, to alu.Rounding) exactly {
		if !finite(a) {
			return exactly{nil, math.NaN()}
		}
		return sum(itself(a), -math.Floor(a), to)
	}
	below := func(g grid, a, b, c uint64, to alu.Rounding, stay bool) uint64 {
		r := g.of(fract(g.value(a), 0, 0, to), to, stay)
		if g.value(r) == 1 {
			r--
		}
		return r
	}
	mad := func(g grid, a, b, c uint64, to alu.Rounding, stay bool) uint64 {
		p := g.result(product(g.value(a), g.value(b)), to, stay, false)
		return g.of(sum(itself(g.value(p)), g.value(c), to), to, stay)
	}
	ldexp := func(a, b, _ float64, _ alu.Rounding) exactly { return power(itself(a), int(b)) }
	cases := []modeCase{
		{name: "v_mul_legacy_f32", in: "ff", out: 'f', f: legacy},
		{name: "v_mad_f32", in: "fff", out: 'f', twice: mad, flushes: true},
		{name: "v_mac_f32", in: "fff", out: 'f', twice: mad, flushes: true, adds: true},
		{name: "v_fmac_f32", in: "fff", out: 'f', f: fma, adds: true},
		{name: "v_mad_f16", in: "hhh", out: 'h', twice: mad, flushes: true},
		{name: "v_mad_legacy_f16", in: "hhh", out: 'h', twice: mad, flushes: true},
		{name: "v_mac_f16", in: "hhh", out: 'h', twice: mad, flushes: true, adds: true},
		{name: "v_fma_legacy_f16", in: "hhh", out: 'h', f: fma},
		{name: "v_sub_f32", in: "ff", out: 'f', f: sub}, {name: "v_sub_f16", in: "hh", out: 'h', f: sub},
		{name: "v_subrev_f32", in: "ff", out: 'f', f: subrev}, {name: "v_subrev_f16", in: "hh", out: 'h', f: subrev},
		{name: "v_pk_add_f16", in: "hh", out: 'h', f: add, packed: true},
		{name: "v_pk_mul_f16", in: "hh", out: 'h', f: mul, packed: true},
		{name: "v_pk_fma_f16", in: "hhh", out: 'h', f: fma, packed: true},
		{name: "v_cvt_f32_f64", in: "F", out: 'f', f: same},
		{name: "v_cvt_f16_f32", in: "f", out: 'h', f: same},
		{name: "v_cvt_f32_i32", in: "i", out: 'f', f: same}, {name: "v_cvt_f32_u32", in: "u", out: 'f', f: same},
		{name: "v_cvt_f16_i16", in: "w", out: 'h', f: same}, {name: "v_cvt_f16_u16", in: "W", out: 'h', f: same},
		{name: "v_ldexp_f32", in: "fe", out: 'f', f: ldexp}, {name: "v_ldexp_f64", in: "Fe", out: 'F', f: ldexp},
		{name: "v_ldexp_f16", in: "he", out: 'h', f: ldexp},
		{name: "v_div_fmas_f32", in: "fff", out: 'f', vcc: true}, {name: "v_div_fmas_f64", in: "FFF", out: 'F', vcc: true},
	}
	for name, f := range map[string]func(a, b, c float64, to alu.Rounding) exactly{"v_pk_fma_f32": fma, "v_pk_mul_f32": mul, "v_pk_add_f32": add} {
		in := "ff"
		if name == "v_pk_fma_f32" {
			in = "fff"
		}
		cases = append(cases, modeCase{name: name, in: in, out: 'f', f: f, pairs: true, chip: encoding.Gfx90a})
	}
	cases = append(cases, modeCase{name: "v_fmac_f64", in: "FFF", out: 'F', f: fma, adds: true, chip: encoding.Gfx90a},
		modeCase{name: "v_pk_fmac_f16", in: "hhh", out: 'h', f: fma, adds: true, packed: true, chip: encoding.Gfx908})
	fmaLegacy := func(a, b, c float64, to alu.Rounding) exactly {
		if a == 0 || b == 0 {
			return sum(itself(0), c, to)
		}
		return fma(a, b, c, to)
	}
	mullit := func(a, b, c float64, to alu.Rounding) exactly {
		if b > -math.MaxFloat32 && c > 0 {
			return legacy(a, b, c, to)
		}
		return itself(-math.MaxFloat32)
	}
	cube := func(x, y, z float64, _ alu.Rounding) exactly {
		axis := x
		if math.Abs(y) >= math.Abs(x) {
			axis = y
		}
		if math.Abs(z) >= math.Abs(x) && math.Abs(z) >= math.Abs(y) {
			axis = z
		}
		return power(itself(axis), 1)
	}
	vop3 := func(op uint32) []uint32 { return []uint32{0xd4000000 | op<<16 | 20, v(4) | v(8)<<9 | v(12)<<18} }
	vop2 := func(op uint32) []uint32 { return []uint32{op<<25 | 20<<17 | 8<<9 | v(4)} }
	cases = append(cases, modeCase{name: "v_fmac_f16", in: "hhh", out: 'h', f: fma, adds: true, chip: encoding.Gfx1100, code: vop2(0x36)},
		modeCase{name: "v_fmac_dx9_zero_f32", in: "fff", out: 'f', f: fmaLegacy, adds: true, chip: encoding.Gfx1100, code: vop2(0x06)},
		modeCase{name: "v_fma_dx9_zero_f32", in: "fff", out: 'f', f: fmaLegacy, chip: encoding.Gfx1100, code: vop3(0x209)},
		modeCase{name: "v_mullit_f32", in: "fff", out: 'f', f: mullit, chip: encoding.Gfx1100, code: vop3(0x218)},
		modeCase{name: "v_cubema_f32", in: "fff", out: 'f', f: cube, chip: encoding.Gfx1100, code: vop3(0x20f)})
	for suffix, l := range map[string]string{"f16": "h", "f32": "f", "f64": "F"} {
		cases = append(cases, modeCase{name: "v_add_" + suffix, in: l + l, out: l[0], f: add},
			modeCase{name: "v_mul_" + suffix, in: l + l, out: l[0], f: mul},
			modeCase{name: "v_fma_" + suffix, in: l + l + l, out: l[0], f: fma},
			modeCase{name: "v_fract_" + suffix, in: l, out: l[0], twice: below})
	}
	return cases
}

// sparse makes a number of few set bits near others of its kind, so that sums
// and products come to lie between two numbers of the format, or right there.
func (g grid) sparse(r *rand.Rand) uint64 {
	width := map[byte]int{'h': 15, 'f': 31, 'F': 63}[g.letter]
	m := uint64(0)
	for range 1 + r.IntN(3) {
		m |= 1 << r.IntN(g.mantissa)
	}
	if r.IntN(4) == 0 {
		m = r.Uint64() & (1<<g.mantissa - 1)
	}
	top := g.greatest - g.least + 2
	e := top/2 - 3 + r.IntN(6)
	switch r.IntN(8) {
	case 0:
		e = 0 // denormal, or zero
	case 1:
		e = r.IntN(3)
	case 2:
		e = r.IntN(top + 1)
	case 3:
		e = top - 1 - r.IntN(3)
	case 4, 5:
		e = top/2 - g.mantissa - 2 + r.IntN(4)
	}
	if r.IntN(24) == 0 {
		m, e = 0, []int{0, top}[r.IntN(2)]
	}
	return m | uint64(min(e, top))<<g.mantissa | uint64(r.IntN(2))<<width
}

func modeOperand(r *rand.Rand, letter byte) (x uint64, value float64) {
	switch letter {
	case 'i':
		x = uint64(r.Uint32() >> r.IntN(32))
		return x, float64(int32(x))
	case 'u':
		x = uint64(r.Uint32() >> r.IntN(32))
		return x, float64(x)
	case 'w':
		x = uint64(r.Uint32() & 0xffff)
		return x, float64(int16(x))
	case 'W':
		x = uint64(r.Uint32() & 0xffff)
		return x, float64(x)
	case 'e':
		n := []int{60, 300, 2300}[r.IntN(3)]
		n = r.IntN(2*n) - n
		return uint64(uint32(int32(n))), float64(n)
	}
	x = grids[letter].sparse(r)
	return x, grids[letter].value(x)
}

func (c *modeCase) denorms(letter byte, mode, of32, of64 uint32) bool {
	if c.flushes {
		return false
	}
	switch letter {
	case 'f':
		return mode&of32 != 0
	case 'F', 'h':
		return mode&of64 != 0
	}
	return true
}

// want computes one lane.
func (c *modeCase) want(mode uint32, in [3]uint64, values [3]float64, vcc bool) uint64 {
	g := grids[c.out]
	to, stay := alu.Rounding(mode>>2&3), c.out == 'h' && mode&alu.HalfOverflow != 0
	if c.out == 'f' {
		to = alu.Rounding(mode & 3)
	}
	for n := range c.in {
		if g, ok := grids[c.in[n]]; ok && !c.vcc { // div_fmas takes denormals in every mode
			in[n] = g.flush(in[n], c.denorms(c.in[n], mode, alu.DenormIn32, alu.DenormIn64))
			values[n] = g.value(in[n])
		}
	}
	keep := c.denorms(c.out, mode, alu.DenormOut32, alu.DenormOut64)
	var r exactly
	switch {
	case c.twice != nil:
		return g.flush(c.twice(g, in[0], in[1], in[2], to, stay), keep)
	case c.vcc:
		x := sum(product(values[0], values[1]), values[2], to)
		by := map[byte]int{'f': 64, 'F': 128}[c.out]
		if vcc && (math.Abs(values[2]) >= 2 || values[2] != values[2]) {
			x = power(x, by)
		} else if vcc {
			x = power(x, -by)
		}
		r = x
	default:
		r = c.f(values[0], values[1], values[2], to)
	}
	return g.result(r, to, stay, keep)
}

// nearLeast makes operands whose result is near the least normal number; products
// have a third operand that is zero or nearly so.
func (c *modeCase) nearLeast(r *rand.Rand, in *[3]uint64, values *[3]float64) {
	g := grids[c.out]
	few := func() uint64 { return uint64(r.IntN(5)) }
	least := uint64(1) << g.mantissa
	switch {
	case strings.Contains(c.name, "ldexp"):
		in[0] = g.of(itself(2), alu.ToNearest, false) - few()
		values[1] = float64(g.least - 1)
		in[1] = uint64(uint32(int32(values[1])))
	case strings.Contains(c.name, "cvt_f32_f64"), strings.Contains(c.name, "cvt_f16_f32"):
		from := grids[c.in[0]]
		in[0] = from.of(itself(g.value(least)), alu.ToNearest, false) - r.Uint64()>>(64-uint(r.IntN(from.mantissa-g.mantissa+3)))
	case len(c.in) > 1 && c.in[0] == c.out && c.in[1] == c.out && !strings.Contains(c.name, "legacy_f32"):
		a := g.value(uint64(-g.least+r.IntN(3))<<g.mantissa | r.Uint64()&(least-1)) // between 1/2 and 4
		in[0] = g.of(itself(a), alu.ToNearest, false)
		in[1] = g.of(itself(g.value(least)/a*2), alu.ToNearest, false) - least + few() - few()
		in[2] = few() / 4
	}
	for n := range c.in {
		if g, ok := grids[c.in[n]]; ok {
			in[n] |= uint64(r.IntN(2)) << map[byte]int{'h': 15, 'f': 31, 'F': 63}[g.letter]
			values[n] = g.value(in[n])
		}
	}
}

func TestArithmeticFollowsMode(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	rounds := 100
	switch {
	case testing.Short():
		rounds = 6
	case os.Getenv("MGPU_TEST_LONG") == "1":
		rounds = 10_000
	}
	for _, c := range modeCases() {
		words := c.words(t)
		i, err := Decode(le(words[0], append(words, 0)[1]), 0, max(c.chip, encoding.Gfx906))
		require.NoError(t, err)
		step := Bind(&i, true)
		require.NotNil(t, step)
		for round := range rounds {
			mode := r.Uint32()&(alu.RoundModes|alu.Denorms32|alu.Denorms64|alu.HalfOverflow) | alu.DX10Clamp | alu.IEEEMode
			if round%4 == 0 {
				mode = mode&^(alu.Denorms32|alu.Denorms64|alu.HalfOverflow) | alu.Denorms32 | alu.Denorms64
			}
			if !c.check(t, r, mode, step) {
				break
			}
		}
	}
}

func (c *modeCase) words(t *testing.T) []uint32 {
	if len(c.code) != 0 {
		return c.code
	}
	src := []uint32{v(4), v(8), v(12)}[:len(c.in)]
	if _, enc := rowNamed(t, c.name); enc == encoding.VOP3P || c.adds {
		return short(t, c.name, v(20), src...)
	}
	return long(t, c.name, v(20), src...)
}

func (c *modeCase) check(t *testing.T, r *rand.Rand, mode uint32, step encoding.Step) bool {
	w := newWave()
	w.Mode = mode
	vcc := r.Uint64()
	w.SetS64(wave.VccLo, vcc)
	parts := 1
	if c.packed || c.pairs {
		parts = 2
	}
	var in [64][2][3]uint64
	var values [64][2][3]float64
	for l := range 64 {
		for part := range parts {
			for n := range c.in {
				in[l][part][n], values[l][part][n] = modeOperand(r, c.in[n])
			}
			if r.IntN(4) == 0 {
				c.nearLeast(r, &in[l][part], &values[l][part])
			}
			for n := range c.in {
				x := in[l][part][n]
				at := 4 + 4*n
				if n == 2 && c.adds {
					at = 20
				}
				if c.pairs {
					w.V[at+part][l] = uint32(x)
					continue
				}
				w.V[at][l] = w.V[at][l]&(1<<(16*part)-1) | uint32(x)<<(16*part)
				w.V[at+1][l] = uint32(x >> 32)
			}
		}
	}
	step(w)
	for l := range 64 {
		for part := range parts {
			want := c.want(mode, in[l][part], values[l][part], vcc>>l&1 != 0)
			got := uint64(w.V[20][l])
			switch c.out {
			case 'F':
				got = alu.Join(w.V[20][l], w.V[21][l])
			case 'h':
				got = got >> (16 * part) & 0xffff
			case 'f':
				got = uint64(w.V[20+part][l])
			}
			g := grids[c.out]
			if got != want && !(math.IsNaN(g.value(got)) && math.IsNaN(g.value(want))) {
				x := in[l][part]
				t.Errorf("MODE %#x: %s(%#x, %#x, %#x) = %#x, want %#x", mode, c.name, x[0], x[1], x[2], got, want)
				return false
			}
		}
	}
	return true
}
