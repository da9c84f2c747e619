package rows

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exactRows are the rows with floating-point results that no direction of
// rounding changes, or whose rounding is their own.
var exactRows = regexp.MustCompile(`^v_(mov|cndmask|accvgpr|swap|trunc|ceil|floor|rndne|frexp_mant|rcp|rsq|sqrt|exp|log|sin|cos|tanh|cvt_f16_(fp|bf)8|cvt_f64|cvt_f32_f16|cvt_f32_ubyte|` +
	`cvt_off|cvt_pk|cvt_f32_bf16|cvt_scalef32|minimum3|maximum3|pk_minimum3|pk_maximum3|cvt_f32_(fp|bf)8|trig_preop|interp|cube|pack|dot|mfma|smfmac|pk_mov)`)

// ownIEEE are GFX12's minima and maxima, which know no other IEEE mode.
var ownIEEE = regexp.MustCompile(`_num_f|^v_(pk_)?(minimum|maximum)`)

// TestRowsThatRoundFollowMode finds rows that were added without an entry in modals.
func TestRowsThatRoundFollowMode(t *testing.T) {
	names := map[string]bool{}
	var sets []rowSet
	for _, s := range []encoding.Set{encoding.GFX9, encoding.GFX10, encoding.GFX11, encoding.GFX12, encoding.GFX1250} {
		sets = append(sets, rowsOf(s)...)
	}
	for _, s := range sets {
		for n := range s.rows {
			row := &s.rows[n]
			names[row.Kin()] = true
			if !vectorALU(s.enc) {
				continue
			}
			switch row.Form.Dst.Type {
			case encoding.Float16, encoding.Float32, encoding.Float64, encoding.PackedFloat16, encoding.PackedFloat32:
			default:
				continue
			}
			if row.Do == nil || ownIEEE.MatchString(row.Kin()) || exactRows.MatchString(row.Name) {
				continue
			}
			_, has := modals[row.Kin()]
			assert.True(t, has, "%s rounds, and has no entry in modals", row.Name)
		}
	}
	for name := range modals {
		assert.True(t, names[name], "%s is not a row", name)
	}
}

// Bound with modes, a row computes under the usual one what it always does.
func TestRowsBoundWithModesKeepTheirUsualMeaning(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, ref := range references() {
		if _, has := modals[ref.name]; !has {
			continue
		}
		i := inst(t, refWords(t, ref, long))
		require.True(t, checkReference(t, r, ref, Bind(i, true), 0))
	}
}

// outside calls an instruction for one lane's bits outside of IEEE mode.
func outside(t *testing.T, name string, src ...uint32) uint32 {
	t.Helper()
	words := long(t, name, v(20), v(4), v(8), v(12))
	if _, enc := rowNamed(t, name); enc == encoding.VOP3P {
		words = short(t, name, v(20), v(4), v(8), v(12))
	}
	w := newWave()
	w.Mode = defaultMode &^ alu.IEEEMode
	for n, x := range src {
		w.V[4+4*n].Fill(x)
	}
	Bind(inst(t, words), true)(w)
	return w.V[20][3]
}

func TestMinimumAndMaximumOutsideOfIEEEMode(t *testing.T) {
	const sNaN, qNaN, inf = 0x7f800001, 0x7fc00001, 0x7f800000
	one := bitsOf(1)
	for _, name := range []string{"v_min_f32", "v_max_f32"} {
		assert.Equal(t, one, outside(t, name, sNaN, one), "%s: a signalling NaN gives way", name)
		assert.Equal(t, one, outside(t, name, one, sNaN), name)
		assert.Equal(t, one, outside(t, name, one, qNaN), name)
		assert.Equal(t, uint32(sNaN), outside(t, name, qNaN, sNaN), "%s of two NaNs is the second", name)
	}
	assert.Equal(t, uint32(1<<31), outside(t, "v_min_f32", 0, 1<<31))
	assert.Equal(t, uint32(0), outside(t, "v_max_f32", 1<<31, 0))
	assert.Equal(t, one, outside(t, "v_min3_f32", sNaN, one, qNaN))
	assert.Equal(t, bitsOf(2), outside(t, "v_max3_f32", bitsOf(2), sNaN, one))
	assert.Equal(t, one, outside(t, "v_med3_f32", bitsOf(2), sNaN, one), "with a NaN the least")
	assert.Equal(t, bitsOf(2), outside(t, "v_med3_f32", bitsOf(2), inf, one))
	assert.Equal(t, uint32(0x3c00), outside(t, "v_min_f16", 0xbeef7c01, 0xdead3c00), "with zeros above")
	assert.Equal(t, uint32(0x3c00), outside(t, "v_max3_f16", 0x7c01, 0x3c00, 0xbc00)&0xffff)
	assert.Equal(t, uint32(0x3c004000), outside(t, "v_pk_min_f16", 0x7c014000, 0x3c007c01))

	w := newWave()
	w.Mode = defaultMode &^ alu.IEEEMode
	for n, x := range []uint64{0x7ff0000000000001, math.Float64bits(1)} {
		w.V[4+4*n].Fill(uint32(x))
		w.V[5+4*n].Fill(uint32(x >> 32))
	}
	Bind(inst(t, long(t, "v_max_f64", v(20), v(4), v(8))), true)(w)
	assert.Equal(t, math.Float64bits(1), alu.Join(w.V[20][0], w.V[21][0]))
	w.Mode = defaultMode
	Bind(inst(t, long(t, "v_max_f64", v(20), v(4), v(8))), true)(w)
	assert.Equal(t, uint64(0x7ff8000000000001), alu.Join(w.V[20][0], w.V[21][0]), "in IEEE mode it comes out quiet")
}

func TestComparisonsOfDenormalsFollowMode(t *testing.T) {
	for _, c := range []struct {
		suffix string
		denorm uint64
		mode   uint32
	}{{"f16", 1, alu.DenormIn64}, {"f32", 1, alu.DenormIn32}, {"f64", 1, alu.DenormIn64}} {
		for _, flush := range []bool{false, true} {
			w := newWave()
			if flush {
				w.Mode &^= c.mode
			}
			w.V[4].Fill(uint32(c.denorm))
			stepOf(t, short(t, "v_cmp_lg_"+c.suffix, 0, v(4), v(8)))(w)
			assert.Equal(t, !flush, w.Vcc() != 0, "%s, flush %v", c.suffix, flush)
			w.V[8].Fill(alu.ClassPosDenorm)
			stepOf(t, short(t, "v_cmp_class_"+c.suffix, 0, v(4), v(8)))(w)
			assert.Equal(t, uint64(alu.Full), w.Vcc(), "v_cmp_class_%s tells denormals whatever the mode", c.suffix)
		}
	}
}

func TestDenormalModesOfHalvesAndDoubles(t *testing.T) {
	add := short(t, "v_add_f16", v(20), v(4), v(8))
	require.Equal(t, uint32(3), one(t, defaultMode, add, 1, 2))
	require.Equal(t, uint32(0), one(t, defaultMode&^alu.DenormIn64, add, 1, 2))
	require.Equal(t, uint32(0x8000), one(t, defaultMode&^alu.DenormOut64, add, 0x8001, 0x8002))
	packed := short(t, "v_pk_add_f16", v(20), v(4), v(8))
	require.Equal(t, uint32(0x3c010002), one(t, defaultMode, packed, 0x3c000001, 0x00100001)&0xffff|0x3c010000)
	require.Equal(t, uint32(0x3c000000), one(t, defaultMode&^alu.Denorms64, packed, 0x3c000001, 0x00100001))
	require.Equal(t, uint32(0), one(t, defaultMode&^alu.DenormOut64, with(long(t, "v_min_f16", v(20), v(4), v(8)), 0, 0), 1, 2), "minima flush as well")

	w := newWave()
	w.Mode &^= alu.Denorms64
	w.V[4].Fill(1)
	w.V[5].Fill(1 << 31)
	stepOf(t, long(t, "v_max_f64", v(20), v(4), v(4)))(w)
	require.Equal(t, uint64(1<<63), alu.Join(w.V[20][0], w.V[21][0]))
	stepOf(t, long(t, "v_cvt_pkrtz_f16_f32", v(20), v(4), v(4)))(w)
	rtz := Bind(inst(t, long(t, "v_cvt_pkrtz_f16_f32", v(20), v(4), v(8))), true)
	w.V[4].Fill(bitsOf(0x1p-20))
	w.V[8].Fill(bitsOf(1.5))
	rtz(w)
	require.Equal(t, uint32(0x3e000000), w.V[20][0])
}

func TestPairsOfHalvesAreClampedUnderEveryMode(t *testing.T) {
	pairs := with(long(t, "v_cvt_pkrtz_f16_f32", v(20), v(4), v(8)), 1<<15, 0)
	for _, mode := range []uint32{alu.UsualMode, alu.UsualMode &^ alu.Denorms64} {
		w := newWave()
		w.Mode = mode
		w.V[4].Fill(bitsOf(3))
		w.V[8].Fill(bitsOf(-2))
		Bind(inst(t, pairs), true)(w)
		require.Equal(t, uint32(0x00003c00), w.V[20][9], "MODE %#x", mode)
	}
}

func TestAtomicsOnWorkgroupMemoryFollowDenormalModes(t *testing.T) {
	for mode, want := range map[uint32]uint32{alu.UsualMode: 5, alu.UsualMode &^ alu.DenormIn32: 0, alu.UsualMode &^ alu.DenormOut32: 0} {
		w := newWave()
		w.Mode, w.LDS = mode, make([]byte, 16)
		w.LDS[4] = 3
		w.V[4].Fill(4)
		w.V[8].Fill(2)
		w.SetExec(1)
		step := Bind(inst(t, ds(t, "ds_add_rtn_f32", 20, 4, 8, 0, 0)), true)
		step(w)
		require.Equal(t, wave.Running, w.Status)
		require.Equal(t, uint32(3), w.V[20][0], "what was there comes back as it was")
		require.Equal(t, byte(want), w.LDS[4], "MODE %#x", mode)
	}
}

func TestClampOfPackedHalvesFollowsDX10Clamp(t *testing.T) {
	words := with(short(t, "v_pk_add_f16", v(20), v(4), v(8)), clampBit, 0)
	require.Equal(t, uint32(0x3c000000), one(t, defaultMode, words, 0x40007e00, 0))
	require.Equal(t, uint32(0x3c007e00), one(t, defaultMode&^alu.DX10Clamp, words, 0x40007e00, 0))
	require.Equal(t, uint32(0x00003800), one(t, defaultMode, words, 0xbc003800, 0))
	require.Equal(t, uint32(0x7fc00000), one(t, defaultMode&^alu.DX10Clamp, with(long(t, "v_add_f32", v(20), v(4), v(8)), clampBit, 0), 0x7fc00000, 0))
	require.Equal(t, uint32(1), one(t, defaultMode, with(long(t, "v_add_f32", v(20), v(4), v(8)), clampBit, 0), 1, 0), "denormals are in range")
}

// The output multiplier works where results are without denormals, outside of
// IEEE mode; it overflows as MODE rounds, and knows no -0.
func TestOutputMultiplierFollowsMode(t *testing.T) {
	const times2, times4, half = 1 << 27, 2 << 27, 3 << 27
	words := func(name string, omod uint32) []uint32 { return with(long(t, name, v(20), v(4), v(8)), 0, omod) }
	mode := uint32(alu.Denorms64)
	require.Equal(t, bitsOf(8), one(t, mode, words("v_add_f32", times4), bitsOf(1), bitsOf(1)))
	require.Equal(t, uint32(0), one(t, mode, words("v_mul_f32", half), bitsOf(0x1p-126), bitsOf(1)), "the half is denormal")
	require.Equal(t, uint32(0), one(t, mode, words("v_mul_f32", times2), bitsOf(-1), 0), "no -0")
	require.Equal(t, uint32(0x7f800000), one(t, mode, words("v_mul_f32", times2), bitsOf(0x1p127), bitsOf(1)))
	require.Equal(t, uint32(0x7f7fffff), one(t, mode|3, words("v_mul_f32", times2), bitsOf(0x1p127), bitsOf(1)))
	require.Equal(t, bitsOf(2), one(t, mode|alu.DenormOut32, words("v_add_f32", times4), bitsOf(1), bitsOf(1)))
	require.Equal(t, uint32(0x4400), one(t, alu.Denorms32, words("v_add_f16", times2), 0x3c00, 0x3c00))
	require.Equal(t, uint32(0x4000), one(t, alu.Denorms32|alu.Denorms64, words("v_add_f16", times2), 0x3c00, 0x3c00))
}

// mixes are sums of a product in mixed precision, by both chips' instructions.
func TestMixedPrecisionFollowsMode(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	single, short := grids['f'], grids['h']
	for _, c := range []struct {
		op    uint32
		chip  encoding.Chip
		high  bool
		fused bool
		out   grid
	}{
		{0x20, encoding.Gfx906, false, true, single}, {0x21, encoding.Gfx906, false, true, short}, {0x22, encoding.Gfx906, true, true, short},
		{0x20, encoding.Gfx900, false, false, single}, {0x21, encoding.Gfx900, false, false, short}, {0x22, encoding.Gfx900, true, false, short},
	} {
		t.Run(fmt.Sprintf("%#x on %s", c.op, c.chip), func(t *testing.T) {
			for range 300 {
				mode := r.Uint32()&(alu.RoundModes|alu.Denorms32|alu.Denorms64|alu.HalfOverflow) | alu.DX10Clamp | alu.IEEEMode
				halves := r.Uint32() & 7 // which sources are
				w := newWave()
				w.Mode = mode
				var values [64][3]float64
				for l := range 64 {
					for n := range 3 {
						if halves>>n&1 != 0 {
							x := short.flush(short.sparse(r), mode&alu.DenormIn64 != 0)
							values[l][n] = short.value(x)
							w.V[4+4*n][l] = uint32(x)
							continue
						}
						x := uint64(single.sparse(r))
						w.V[4+4*n][l] = uint32(x)
						values[l][n] = single.value(single.flush(x, mode&alu.DenormIn32 != 0))
					}
				}
				lo := 0x1a7<<23 | c.op<<16 | halves>>2<<14 | 20
				hi := v(4) | v(8)<<9 | v(12)<<18 | halves&3<<27
				i, err := Decode(le(lo, hi), 0, c.chip)
				require.NoError(t, err)
				Bind(&i, true)(w)
				for l := range 64 {
					want := mixWant(c.out, c.fused, mode, values[l])
					got := uint64(w.V[20][l])
					if c.high {
						got >>= 16
					}
					if c.out.letter == 'h' {
						got &= 0xffff
					}
					if got != want && !(math.IsNaN(c.out.value(got)) && math.IsNaN(c.out.value(want))) {
						require.Failf(t, "wrong", "%s in MODE %#x: %v gives %#x, want %#x", &i, mode, values[l], got, want)
					}
				}
			}
		})
	}
}

func mixWant(out grid, fused bool, mode uint32, x [3]float64) uint64 {
	single := grids['f']
	to32, to := alu.Rounding(mode&3), alu.Rounding(mode>>2&3)
	if out.letter == 'f' {
		to = to32
	}
	stay := out.letter == 'h' && mode&alu.HalfOverflow != 0
	keep := mode&alu.DenormOut64 != 0
	if out.letter == 'f' {
		keep = mode&alu.DenormOut32 != 0
	}
	r := sum(product(x[0], x[1]), x[2], to)
	if !fused {
		bits := func(v float64) uint64 { return single.flush(b32(v), false) }
		p := single.result(product(single.value(bits(x[0])), single.value(bits(x[1]))), to32, false, false)
		s := single.flush(single.of(sum(itself(single.value(p)), single.value(bits(x[2])), to32), to32, false), false)
		r = itself(single.value(s))
	}
	return out.result(r, to, stay, keep)
}

func le(lo, hi uint32) []byte {
	return []byte{byte(lo), byte(lo >> 8), byte(lo >> 16), byte(lo >> 24), byte(hi), byte(hi >> 8), byte(hi >> 16), byte(hi >> 24)}
}

// A step that was bound once runs in every mode, from several goroutines.
func TestStepsFollowChangesOfMode(t *testing.T) {
	step := Bind(inst(t, long(t, "v_add_f32", v(20), v(4), v(8))), true)
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			w := newWave()
			w.V[4].Fill(bitsOf(1))
			w.V[8].Fill(bitsOf(0x1p-30))
			for n := range 100 {
				to := alu.Rounding(n % 4)
				w.Mode = alu.UsualMode | uint32(to)
				step(w)
				want := bitsOf(1)
				if to == alu.Upward {
					want++
				}
				require.Equal(t, want, w.V[20][7])
			}
		})
	}
	require.False(t, wave.UsualMode(alu.UsualMode|1))
	require.False(t, wave.UsualMode(alu.UsualMode&^alu.IEEEMode))
	require.True(t, wave.UsualMode(alu.UsualMode|wave.GPRIndex))
}
