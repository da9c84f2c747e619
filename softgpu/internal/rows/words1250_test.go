package rows

import (
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// propose1250 gives most instructions registers of several words that start at an even one, and third words.
func propose1250(r *rand.Rand, p *pair, s subject) {
	f := s.row.Form
	third := r.Uint32()
	if p.third != nil {
		third = *p.third
	}
	even := func(word *uint32, slot *encoding.Slot, at uint) {
		if slot.Class != encoding.NoSlot && slot.Width > 1 && r.Intn(8) != 0 {
			*word &^= 1 << at
		}
	}
	vector := func(n int, word *uint32, at uint) { // matrices are in vector registers
		if f.Src[n].Class == encoding.VectorOnly && r.Intn(8) != 0 {
			*word |= 1 << (at + 8)
		}
	}
	switch s.enc {
	case encoding.VOP1, encoding.VOP2, encoding.VOPC:
		even(&p.lo, &f.Src[0], 0)
		even(&p.lo, &f.Dst, 17)
		for n := 1; n < 3; n++ {
			if f.Src[n].Class != encoding.LitK {
				even(&p.lo, &f.Src[n], 9)
			}
		}
	case encoding.VOP3, encoding.VOP3P, encoding.VOP3PX:
		even(&p.lo, &f.Dst, 0)
		for n := range 3 {
			even(&p.hi, &f.Src[n], uint(9*n))
			vector(n, &p.hi, uint(9*n))
		}
		if s.enc == encoding.VOP3PX {
			p.lo, p.hi = p.lo&^(1<<15|7<<11|3<<8)|1<<14, p.hi&^(3<<29)|3<<27
		}
		if f.Has(encoding.MatrixFormats) {
			p.lo, p.hi = p.lo&^(7<<11|1<<14|1<<15)|uint32(r.Intn(5))<<11, p.hi&^(3<<27)
			if formats := uint32(r.Intn(5)); formats != 0 {
				p.lo, p.hi = p.lo|formats>>2<<14, p.hi|formats&3<<27
			}
		}
	case encoding.VOPD3:
		p.lo = p.lo&^(63<<12|7<<9) | uint32(pairs3[r.Intn(len(pairs3))].op)<<12
		p.hi &^= 1 << 15
		if r.Intn(2) == 0 {
			p.hi &^= 63 << 9
		}
		even(&p.lo, &f.Src[0], 0)
		even(&p.hi, &f.Src[1], 16)
		even(&p.hi, &f.Src[2], 24)
		even(&third, &f.Dst, 0)
		if f.Src[1].Class == encoding.NoSlot {
			p.hi &^= 0xff << 16
		}
		if f.Src[2].Class == encoding.NoSlot || f.Src[2].Class == encoding.CarryIn {
			p.hi &^= 0xff << 24
			if f.Src[2].Class == encoding.CarryIn {
				p.hi |= uint32(r.Intn(107)) << 24
			}
		}
		switch y := tableOf(encoding.Gfx1250)[encoding.VOPD3Y][p.lo>>12&63]; {
		case y == nil:
		case y.Form.Src[1].Class == encoding.NoSlot:
			third &^= 0xffff << 8
		case y.Form.Src[2].Class == encoding.CarryIn:
			third &^= 1 << 23
		case y.Form.Src[2].Class == encoding.NoSlot && !y.Form.Has(encoding.TruthTable):
			third &^= 0xff << 16
		}
	case encoding.VTENSOR:
		p.lo, p.hi = p.lo&^(0x3f<<8|0x7e)|1, p.hi&0xfc0000|0x7c000000
		p.lo |= 0x71 << 16 &^ (0xff << 14)
		third = uint32(r.Intn(25))*4 | uint32(r.Intn(24))*4<<8 | 0x7c7c0000
		if r.Intn(2) == 0 {
			third = third&0xffff | uint32(r.Intn(25))*4<<16 | uint32(r.Intn(25))*4<<24
		}
	case encoding.FLAT, encoding.MUBUF:
		third = r.Uint32()
		if f.Has(encoding.TensorStop) {
			p.lo, p.hi, third = p.lo&^0x7f|124, p.hi&^0xff, third&0xff
		}
		if s.enc == encoding.MUBUF {
			third &^= 1 << 31
		}
		for _, slot := range append(f.Src[:], f.Dst) {
			if slot.Place == encoding.AtAddr || slot.Place == encoding.AtData0 || slot.Place == encoding.AtVdst {
				third &^= 1
				p.hi &^= 1<<23 | 1
			}
		}
	case encoding.DS:
		for _, at := range []uint{8, 16, 24} {
			p.hi &^= 1 << at
		}
	}
	p.third = &third
	if s.enc == encoding.VOP3PX {
		p.scales = &[2]uint32{0xcc350000 | r.Uint32()&0x6b00, r.Uint32()&^(0x1ff<<18|1<<31) | 0x100<<18}
		if r.Intn(2) == 0 {
			p.scales[0] = p.scales[0]&0xffff | 0xcc3a0000
			p.scales[1] &^= 1 | 1<<9
		}
		p.third = nil
	}
}

// readOnlyDestination matches scalar results in what can only be read: LLVM's register class of destinations has it.
var readOnlyDestination = regexp.MustCompile(`^v_s_\w+ src_`)

var eightBits = regexp.MustCompile(`^v_cvt_\w*(fp|bf)8.* clamp`)

// beyond1250 reports whether LLVM and the decoder may disagree: LLVM takes literals of 64 bits for operands of 32,
// encodes some shorter ones as those, and prints some as shorter ones.
func beyond1250(err error, v verdict, p pair) bool {
	if strings.HasPrefix(v.text, "v_mov_b16") || strings.HasPrefix(v.text, "v_swap_b16") {
		return err != nil // the chip has these in LLVM with real-true16 only, which it does not turn on for it
	}
	if eightBits.MatchString(v.text) {
		return err != nil // it chooses the format E5M3, which is not published
	}
	if readOnlyDestination.MatchString(v.text) {
		return err != nil
	}
	if strings.HasPrefix(v.text, "v_dual_") && err != nil && strings.Contains(err.Error(), "a literal is not allowed here") {
		return true // nor by LLVM's assembler
	}
	if err != nil {
		return strings.Contains(err.Error(), "a literal of 64 bits is not allowed here") || strings.Contains(err.Error(), "where a vector register is needed") && strings.Contains(v.text, "src_") || p.scales != nil && strings.HasPrefix(v.text, "v_wmma_ld_scale") || strings.Contains(err.Error(), "start at an even one") && strings.HasPrefix(v.text, "v_fmamk_f64")
	}
	return lengthened(p, v) || shortened(p, v)
}

// shortened reports whether LLVM has printed and encoded a 64-bit literal of a double whose lower half is 0 as the shorter
// constant with the same meaning: LLVM keeps the value of an operand, not its encoding.
func shortened(p pair, v verdict) bool {
	if p.scales != nil || p.hi != 0 || p.lo&0x1ff != encoding.SrcLiteral64 {
		return false
	}
	i, err := Decode(pair{lo: p.lo | 1, hi: *p.third}.bytes(), 0, encoding.Gfx1250.Wave32())
	return err == nil && strings.Contains(i.Row.Name, "f64") && i.String() == v.text
}

func TestLiteralsOfDoublesThatLLVMShortens(t *testing.T) {
	findLLVM(t)
	chip := encoding.Gfx1250.Wave32()
	for _, upper := range []uint32{0xfffffff0, 0x2ffffff0, 0x80000000, 0x3ff00000, 0xc0100000, 0x3fc45f30} {
		p := pair{lo: 0x7d4bccfe, third: &upper}
		i := mustDecode(t, chip, p.words()...)
		require.Equal(t, 12, int(i.Size))
		require.Equal(t, [2]uint32{0, upper}, [2]uint32{i.Src[0].Value, i.Src[0].High})
		v := askLLVM(t, chip, []pair{p})[0]
		require.Less(t, v.size, 12)
		require.True(t, shortened(p, v), "%08x: LLVM %q", upper, v.text)
		v.text = "v_cmpx_lg_f64_e32 0x12345678, v[230:231]"
		require.False(t, shortened(p, v))
	}
}

// lengthened reports whether LLVM has encoded with a literal what has none, or a shorter one.
func lengthened(p pair, v verdict) bool {
	i, err := Decode(p.bytes(), 0, encoding.Gfx1250.Wave32())
	return err == nil && i.String() == v.text && int(i.Size) < v.size
}

// TestLiteralsOfBfloatsAreMarkedAsByLLVM: by their lower half, in which the upper one does not count.
func TestLiteralsOfBfloatsAreMarkedAsByLLVM(t *testing.T) {
	findLLVM(t)
	chip := encoding.Gfx1250.Wave32()
	var pairs []pair
	for _, literal := range append([]uint32{0x3ff00000, 0x3ff00001, 0x3e22, 0x3f80, 0x12343f80, 0x41, 0x8000}, literals...) {
		pairs = append(pairs, pair{lo: 0x7f42faff, hi: literal})
	}
	for n, v := range askLLVM(t, chip, pairs) {
		i := mustDecode(t, chip, pairs[n].words()...)
		require.Equal(t, v.text, i.String())
	}
}

func TestScalesAreNotLiterals(t *testing.T) {
	for _, mark := range []uint32{0xcc350000, 0xcc3a0000} {
		decode := func(a, b uint32) error {
			p := pair{lo: 0xcc3308fe, hi: 0x1ad2b964, scales: &[2]uint32{mark, a | b<<9 | 0x100<<18}}
			_, err := Decode(p.bytes(), 0, encoding.Gfx1250.Wave32())
			return err
		}
		require.NoError(t, decode(0x102, 0x104))
		for _, literal := range []uint32{encoding.SrcLiteral, encoding.SrcLiteral64} {
			require.ErrorContains(t, decode(literal, 0x104), "a literal is not allowed here")
			require.ErrorContains(t, decode(0x102, literal), "a literal is not allowed here")
		}
	}
}

// TestLoadsOf96BitsThatStartAtAnOddRegister asks LLVM too: those that transpose may, but not with an odd address.
func TestLoadsOf96BitsThatStartAtAnOddRegister(t *testing.T) {
	findLLVM(t)
	chip := encoding.Gfx1250.Wave32()
	for _, c := range []struct {
		lo, hi, address uint32
		text            string
	}{
		{0xee1d007c, 183, 2, "global_load_tr6_b96 v[183:185], v[2:3], off"},
		{0xee1d007c, 183, 3, ""},
		{0xee05807c, 182, 2, "global_load_b96 v[182:184], v[2:3], off"},
		{0xee05807c, 183, 2, ""},
	} {
		p := pair{lo: c.lo, hi: c.hi, third: &c.address}
		require.Equal(t, c.text, askLLVM(t, chip, []pair{p})[0].text)
		i, err := Decode(p.bytes(), 0, chip)
		if c.text == "" {
			require.ErrorContains(t, err, "start at an even one")
		} else {
			require.NoError(t, err)
			require.Equal(t, c.text, i.String())
		}
	}
	p := pair{lo: 0xdbec0000, hi: 0x01000000}
	v := askLLVM(t, chip, []pair{p})[0]
	require.Equal(t, "ds_load_tr6_b96 v[1:3], v0", v.text)
	i := mustDecode(t, chip, p.words()...)
	require.Equal(t, v.text, i.String())
}

func TestMessagesThatGFX1250Adds(t *testing.T) {
	for word, text := range map[uint32]string{
		0xbe804c0a: "s_sendmsg_rtn_b32 s0, sendmsg(MSG_SAVEWAVE_HAS_TDM)",
		0xbe804c88: "s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_CLUSTER_BARRIER_STATE)",
	} {
		i := mustDecode(t, encoding.Gfx1250.Wave32(), word)
		require.Equal(t, text, i.String())
		i = mustDecode(t, encoding.Gfx1200.Wave32(), word)
		require.NotContains(t, i.String(), "MSG_")
	}
}

func TestBytesBecomeEitherHalf(t *testing.T) {
	i := mustDecode(t, encoding.Gfx1250.Wave32(), 0xd5f84001, 0x00000001)
	require.Equal(t, "v_cvt_f16_bf8_e64 v1.h, s1 op_sel:[0,1]", i.String())
	w := newWave()
	w.SetSize(true)
	w.SetExec(1)
	w.S[1], w.V[1][0] = 0x3c, 0x1234
	i.Row.Do(&i)(w)
	require.Equal(t, uint32(0x3c001234), w.V[1][0])
}
