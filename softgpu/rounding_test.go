package softgpu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKernelsSetModesOfTheirOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	const n = 128
	corners(t, func(t *testing.T, d *Driver, image []byte) {
		a, av := buffer[uint32](t, d, n)
		b, bv := buffer[uint64](t, d, n)
		f, fv := buffer[float32](t, d, 4*n)
		g, gv := buffer[uint64](t, d, 3*n)
		h, hv := buffer[uint16](t, d, n)
		for i := range n {
			// Near each other's exponents, but for some that end up among denormals.
			av[i] = r.Uint32()&0x80ffffff | uint32(60+r.IntN(10))<<24>>1
			if i%8 < 2 {
				av[i] = r.Uint32()&0x80ffffff | 32<<24
			}
			bv[i] = r.Uint64()&(1<<63|1<<52-1) | uint64(1000+r.IntN(60))<<52
			if i%8 == 2 || i%8 == 3 {
				bv[i] = r.Uint64()&(1<<63|1<<52-1) | uint64(508+r.IntN(6))<<52
			}
		}
		for _, mode := range []uint32{0xf0, 0xf5, 0xfa, 0xff, 0xf9, 0x00, 0x0f, 0xa5, 0x5a} {
			require.NoError(t, run(t, d, image, "in_mode", d1(2), d1(64), a, b, f, g, h, mode))
			m := modeOf(mode)
			for i := range n {
				x, y := float64(math.Float32frombits(av[i])), float64(math.Float32frombits(av[i^1]))
				u, v := math.Float64frombits(bv[i]), math.Float64frombits(bv[i^1])
				for k, want := range []*big.Float{plus(x, y), times(x, y), fused(x, y, x), exactly(u)} {
					require.Equal(t, m.single(want), fv[4*i+k], "MODE %#x, item %d, result %d", mode, i, k)
				}
				for k, want := range []*big.Float{plus(u, v), times(u, v), fused(u, v, u)} {
					require.Equal(t, m.double(want), math.Float64frombits(gv[3*i+k]), "MODE %#x, item %d, result %d", mode, i, k)
				}
				require.Equal(t, m.half(exactly(x)), hv[i], "MODE %#x, item %d", mode, i)
			}
		}
	})
}

func exactly(x float64) *big.Float  { return new(big.Float).SetPrec(4000).SetFloat64(x) }
func plus(x, y float64) *big.Float  { return new(big.Float).SetPrec(4000).Add(exactly(x), exactly(y)) }
func times(x, y float64) *big.Float { return new(big.Float).SetPrec(4000).Mul(exactly(x), exactly(y)) }
func fused(x, y, z float64) *big.Float {
	return new(big.Float).SetPrec(4000).Add(times(x, y), exactly(z))
}

// modeRounding rounds as MODE says, by big.Float's own rounding.
type modeRounding struct {
	singles, others         big.RoundingMode
	keepSingles, keepOthers bool
}

func modeOf(mode uint32) modeRounding {
	ways := [4]big.RoundingMode{big.ToNearestEven, big.ToPositiveInf, big.ToNegativeInf, big.ToZero}
	return modeRounding{ways[mode&3], ways[mode>>2&3], mode&0x20 != 0, mode&0x80 != 0}
}

// to rounds to so many bits, fewer where the exponent is below the least.
func (m modeRounding) to(x *big.Float, way big.RoundingMode, bits uint, least int, keep bool) float64 {
	if x.Sign() == 0 {
		if way == big.ToNegativeInf {
			return math.Copysign(0, -1)
		}
		return 0
	}
	e := x.MantExp(nil) - 1
	scale := max(e, least) - int(bits) + 1 // units of the last place
	units := new(big.Float).SetMantExp(x, -scale)
	grid := new(big.Float).SetPrec(4000).SetInt(wholes(units, way))
	r, _ := grid.SetMantExp(grid, scale).Float64()
	if math.Abs(r) < math.Ldexp(1, least) && !keep || r == 0 {
		r = math.Copysign(0, float64(x.Sign()))
	}
	return r
}

func wholes(x *big.Float, way big.RoundingMode) *big.Int {
	low, _ := x.Int(nil) // towards zero
	rest := new(big.Float).SetPrec(4000).Sub(x, new(big.Float).SetPrec(4000).SetInt(low))
	away := big.NewInt(int64(x.Sign()))
	half := new(big.Float).Abs(rest).Cmp(big.NewFloat(0.5))
	switch {
	case rest.Sign() == 0:
	case way == big.ToPositiveInf && x.Sign() > 0, way == big.ToNegativeInf && x.Sign() < 0,
		way == big.ToNearestEven && (half > 0 || half == 0 && low.Bit(0) == 1):
		low.Add(low, away)
	}
	return low
}

func (m modeRounding) single(x *big.Float) float32 {
	return float32(m.to(x, m.singles, 24, -126, m.keepSingles))
}
func (m modeRounding) double(x *big.Float) float64 {
	return m.to(x, m.others, 53, -1022, m.keepOthers)
}
func (m modeRounding) half(x *big.Float) uint16 {
	v := m.to(x, m.others, 11, -14, m.keepOthers)
	if math.Abs(v) < 0x1p-14 {
		return uint16(math.Float64bits(v)>>48&0x8000) | uint16(math.Abs(v)*0x1p24)
	}
	return uint16(small(v, 10, 5, 15))
}

func TestQuotientsAreCorrectlyRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	const n = 512
	corners(t, func(t *testing.T, d *Driver, image []byte) {
		a, av := buffer[uint32](t, d, n)
		b, bv := buffer[uint64](t, d, n)
		f, fv := buffer[uint32](t, d, n)
		g, gv := buffer[uint64](t, d, n)
		for i := range n {
			av[i], bv[i] = r.Uint32(), r.Uint64()
			switch i / 2 % 4 {
			case 1: // denormals
				av[i], bv[i] = av[i]&0x80ffffff, bv[i]&0x801fffffffffffff
			case 2: // the ends of the range
				av[i], bv[i] = av[i]|0x7f000000, bv[i]|0x7fe0000000000000
			}
		}
		require.NoError(t, run(t, d, image, "quotients", d1(4), d1(128), a, b, f, g))
		for i := range n {
			want := math.Float32frombits(av[i]) / math.Float32frombits(av[i^1])
			got := math.Float32frombits(fv[i])
			require.True(t, math.Float32bits(want) == fv[i] || want != want && got != got, "%#x / %#x = %#x, not %#x", av[i], av[i^1], fv[i], math.Float32bits(want))
			wide := math.Float64frombits(bv[i]) / math.Float64frombits(bv[i^1])
			double := math.Float64frombits(gv[i])
			require.True(t, math.Float64bits(wide) == gv[i] || wide != wide && double != double, "%#x / %#x = %#x, not %#x", bv[i], bv[i^1], gv[i], math.Float64bits(wide))
		}
	})
}

// A descriptor may start a kernel in any mode: here 1 + 2^-30 and the smallest
// denormal, doubled, are stored where s[4:5] points.
func TestKernelsStartInTheModeOfTheirDescriptor(t *testing.T) {
	d := open(t, Options{})
	code := header + `s_load_dwordx2 s[4:5], s[0:1], 0x0
v_mov_b32 v0, 1.0
v_mov_b32 v1, 0x30800000
v_add_f32 v0, v0, v1
v_mov_b32 v1, 1
v_add_f32 v1, v1, v1
v_mov_b32 v2, 0
s_waitcnt lgkmcnt(0)
global_store_dwordx2 v2, v[0:1], s[4:5]
s_endpgm
.Lend:
` + footer
	const keep = ".amdhsa_float_denorm_mode_32 3\n"
	for directive, want := range map[string][2]uint32{
		"":                                     {0x3f800000, 0}, // the assembler's own choice
		keep:                                   {0x3f800000, 2},
		keep + ".amdhsa_float_round_mode_32 1": {0x3f800001, 2},
		".amdhsa_float_round_mode_32 3":        {0x3f800000, 0},
		keep + ".amdhsa_float_denorm_mode_16_64 0":                   {0x3f800000, 2},
		keep + ".amdhsa_ieee_mode 0\n.amdhsa_fp16_overflow 1":        {0x3f800000, 2},
		keep + ".amdhsa_dx10_clamp 0\n.amdhsa_float_round_mode_32 1": {0x3f800001, 2},
	} {
		source := strings.Replace(code, "  .amdhsa_next_free_vgpr", directive+"\n  .amdhsa_next_free_vgpr", 1)
		source = strings.Replace(source, ".kernarg_segment_size: 0", ".kernarg_segment_size: 8\n    .args: [{.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}]", 1)
		source = strings.Replace(source, "  .amdhsa_next_free_vgpr", "  .amdhsa_kernarg_size 8\n  .amdhsa_next_free_vgpr", 1)
		out, ov := buffer[uint32](t, d, 2)
		require.NoError(t, run(t, d, assemble(t, source), "k", d1(1), d1(64), out), directive)
		require.Equal(t, want[:], ov, directive)
	}
}
