package rows

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// words returns the bytes of instruction words.
func words(w ...uint32) []byte {
	var b []byte
	for _, x := range w {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

func mustDecode(t *testing.T, chip encoding.Chip, w ...uint32) encoding.Inst {
	t.Helper()
	i, err := Decode(words(w...), 0, chip)
	require.NoError(t, err)
	return i
}

func sregs(reg uint16, width uint8) encoding.Operand {
	return encoding.Operand{Kind: encoding.SReg, Width: width, Reg: reg, Code: reg}
}
func vregs(reg uint16, width uint8) encoding.Operand {
	return encoding.Operand{Kind: encoding.VReg, Width: width, Reg: reg, Code: reg + 256}
}

func TestImpliedOperandsArePresent(t *testing.T) {
	vcc := sregs(wave.VccLo, 2)
	i := mustDecode(t, encoding.Gfx906, 0x38020602) // v_addc_co_u32_e32 v1, vcc, s2, v3, vcc
	assert.Equal(t, "v_addc_co_u32", i.Row.Name)
	assert.Equal(t, encoding.VOP2, i.Enc)
	assert.Equal(t, vregs(1, 1), i.Dst)
	assert.Equal(t, vcc, i.SDst)
	assert.Equal(t, [4]encoding.Operand{sregs(2, 1), vregs(3, 1), vcc}, i.Src)

	i = mustDecode(t, encoding.Gfx906, 0x7d820501) // v_cmp_lt_i32_e32 vcc, v1, v2
	assert.Equal(t, encoding.NoOperand, i.Dst.Kind)
	assert.Equal(t, vcc, i.SDst)

	i = mustDecode(t, encoding.Gfx906, 0xd11c0601, 0x002a0503) // v_addc_co_u32_e64 v1, s[6:7], s3, v2, s[10:11]
	assert.Equal(t, encoding.VOP3, i.Enc)
	assert.Equal(t, sregs(6, 2), i.SDst)
	assert.Equal(t, sregs(10, 2), i.Src[2])

	i = mustDecode(t, encoding.Gfx906, 0x000204f9, 0x06860605) // v_cndmask_b32_sdwa
	assert.Equal(t, encoding.SDWA, i.Suffix)
	assert.Equal(t, vcc, i.Src[2])
}

func TestConstants(t *testing.T) {
	f32 := func(code uint16, f float32) encoding.Operand {
		return encoding.Operand{Kind: encoding.Const, Width: 1, Code: code, Value: math.Float32bits(f)}
	}
	tests := map[string]struct {
		code    uint32
		literal uint32
		want    encoding.Operand
		size    uint8
	}{
		"zero":       {128, 0, encoding.Operand{Kind: encoding.Const, Width: 1, Code: 128}, 4},
		"sixty-four": {192, 0, encoding.Operand{Kind: encoding.Const, Width: 1, Code: 192, Value: 64}, 4},
		"-1":         {193, 0, encoding.Operand{Kind: encoding.Const, Width: 1, Code: 193, Value: 0xffffffff}, 4},
		"-16":        {208, 0, encoding.Operand{Kind: encoding.Const, Width: 1, Code: 208, Value: 0xfffffff0}, 4},
		"0.5":        {240, 0, f32(240, 0.5), 4},
		"-4.0":       {247, 0, f32(247, -4), 4},
		"1/(2 pi)":   {248, 0, encoding.Operand{Kind: encoding.Const, Width: 1, Code: 248, Value: 0x3e22f983}, 4},
		"literal":    {255, 0xdeadbeef, encoding.Operand{Kind: encoding.Const, Width: 1, Code: 255, Value: 0xdeadbeef}, 8},
		"vccz":       {251, 0, encoding.Operand{Kind: encoding.Special, Width: 1, Code: 251, Reg: 251}, 4},
		"exec_hi":    {127, 0, sregs(wave.ExecHi, 1), 4},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			i := mustDecode(t, encoding.Gfx906, 0x80040000|test.code, test.literal) // s_add_u32 s4, ?, s0
			assert.Equal(t, test.want, i.Src[0])
			assert.Equal(t, test.size, i.Size)
		})
	}
}

func TestMemoryOperands(t *testing.T) {
	i := mustDecode(t, encoding.Gfx906, 0xdc509010, 0x077f0004) // global_load_dword v7, v[4:5], off offset:-4080
	assert.Equal(t, vregs(7, 1), i.Dst)
	assert.Equal(t, [4]encoding.Operand{vregs(4, 2)}, i.Src)
	assert.EqualValues(t, -4080, i.Imm)
	assert.EqualValues(t, 2, i.Seg)

	i = mustDecode(t, encoding.Gfx906, 0xdc508010, 0x07060004) // global_load_dword v7, v4, s[6:7] offset:16
	assert.Equal(t, [4]encoding.Operand{vregs(4, 1), sregs(6, 2)}, i.Src)

	i = mustDecode(t, encoding.Gfx906, 0xdd098000, 0x077f0a04) // global_atomic_add v7, v[4:5], v10, off glc
	assert.Equal(t, vregs(7, 1), i.Dst)
	assert.Equal(t, [4]encoding.Operand{vregs(4, 2), vregs(10, 1)}, i.Src)
	i = mustDecode(t, encoding.Gfx906, 0xdd088000, 0x007f0a04) // the same without glc
	assert.Equal(t, encoding.Operand{}, i.Dst)

	i = mustDecode(t, encoding.Gfx906, 0xe0501007, 0x14030804) // buffer_load_dword v8, v4, s[12:15], s20 offen offset:7
	assert.Equal(t, vregs(8, 1), i.Dst)
	assert.Equal(t, [4]encoding.Operand{vregs(4, 1), sregs(12, 4), sregs(20, 1)}, i.Src)
	i = mustDecode(t, encoding.Gfx906, 0xe0700007, 0x14030804) // buffer_store_dword v8, off, s[12:15], s20 offset:7
	assert.Equal(t, [4]encoding.Operand{vregs(8, 1), {}, sregs(12, 4), sregs(20, 1)}, i.Src)

	i = mustDecode(t, encoding.Gfx906, 0xc0060402, 0xfffffff0) // s_load_dwordx2 s[16:17], s[4:5], -0x10
	assert.Equal(t, sregs(16, 2), i.Dst)
	assert.Equal(t, [4]encoding.Operand{sregs(4, 2)}, i.Src)
	assert.EqualValues(t, -16, i.Imm)
	i = mustDecode(t, encoding.Gfx906, 0xc0004402, 0x04000000) // s_load_dword s16, s[4:5], s2
	assert.True(t, i.OffEn)
	assert.Equal(t, sregs(2, 1), i.Src[1])
}

func TestWhatIsNoInstruction(t *testing.T) {
	tests := map[string]struct {
		chip encoding.Chip
		code []byte
		want string
	}{
		"empty":              {encoding.Gfx906, nil, "truncated"},
		"half a word":        {encoding.Gfx906, []byte{1, 2}, "truncated"},
		"literal missing":    {encoding.Gfx906, words(0x800000ff), "truncated: the second word is missing"},
		"second word":        {encoding.Gfx906, words(0xd1000000), "truncated: the second word is missing"},
		"unknown opcode":     {encoding.Gfx906, words(0xbf8b0000 | 0x7f<<16), "unknown opcode 127 of encoding SOPP on gfx906"},
		"unknown encoding":   {encoding.Gfx906, words(0xcc000000, 0), "no known encoding"},
		"younger chip's":     {encoding.Gfx900, words(0xd3a80000, 0), "unknown opcode 40 of encoding VOP3P on gfx900"},
		"unknown chip":       {encoding.NumChips, words(0xbf800000), "not a known chip"},
		"reserved source":    {encoding.Gfx906, words(0x800000d1), "s_add_u32 (SOP2 opcode 0): source number 209 is reserved"},
		"literal in VOP3":    {encoding.Gfx906, words(0xd1000000, 0xff), "a literal is not allowed here"},
		"reserved dst_sel":   {encoding.Gfx906, words(0x020002f9, 0x06060700), "dst_sel 7"},
		"reserved dpp_ctrl":  {encoding.Gfx906, words(0x020002fa, 0xff010000), "dpp_ctrl 0x100 is reserved"},
		"odd pair":           {encoding.Gfx906, words(0x86800067), "scalar register 103 does not hold 2 words"},
		"abs of an integer":  {encoding.Gfx906, words(0xd1340100, 0), "reserved bits"},
		"vector carry":       {encoding.Gfx906, words(0xd1000000, 0x105<<18), "vector register v5 where a scalar one is needed"},
		"LDS without gds":    {encoding.Gfx906, words(0xd9320000, 4), "gds bit"},
		"later chips' null":  {encoding.Gfx906, words(0x8000007d), "register 125 is reserved"},
		"literal as soffset": {encoding.Gfx906, words(0xe0500000, 0xff000000), "a literal is not allowed here"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			i, err := Decode(test.code, 0, test.chip)
			require.ErrorContains(t, err, test.want)
			assert.Equal(t, encoding.Inst{}, i)
		})
	}
	_, err := Decode(make([]byte, 8), math.MaxUint32, encoding.Gfx906)
	require.ErrorContains(t, err, "truncated")
}

func TestParseChip(t *testing.T) {
	for chip := encoding.Chip(0); chip < encoding.Programmed; chip++ {
		got, err := encoding.ParseChip(chip.String())
		require.NoError(t, err)
		assert.Equal(t, chip, got)
	}
	_, err := encoding.ParseChip("gfx1010")
	require.EqualError(t, err, "no such chip; there are gfx900, gfx906, gfx908, gfx90a, gfx942, gfx950, gfx1030, gfx1031, gfx1032, gfx1033, gfx1034, gfx1035, gfx1036, gfx1100, gfx1101, gfx1102, gfx1103, gfx1150, gfx1151, gfx1200, gfx1201, gfx1250, gfx1251")
}

// TestRowsAreSound checks what the tables promise: numbers fit, no row hides
// another, and every operand of a form has a width.
func TestRowsAreSound(t *testing.T) {
	for _, chip := range goldenChips {
		seen := map[string]bool{}
		for _, s := range subjects(chip) {
			require.NotNil(t, s.row.Form, s)
			require.Regexp(t, `^(s|v|ds|flat|global|scratch|buffer|tbuffer|image|cluster|tensor)_[a-z0-9_]+$|^exp$`, s.row.Name)
			require.NotRegexp(t, `_(e32|e64|sdwa|dpp)$`, s.row.Name)
			key := s.String()
			require.False(t, seen[key], "%s is there twice", key)
			seen[key] = true
			for _, slot := range append([]encoding.Slot{s.row.Form.Dst, s.row.Form.SDst}, s.row.Form.Src[:]...) {
				require.Equal(t, slot.Class == encoding.NoSlot, slot.Width == 0, "%s: %+v", key, slot)
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	var text []byte
	for _, g := range readGolden(b, encoding.Gfx906) {
		text = append(text, g.code...)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for off := uint32(0); int(off) < len(text); {
			i, err := Decode(text, off, encoding.Gfx906)
			if err != nil {
				b.Fatal(err)
			}
			off += uint32(i.Size)
		}
	}
}
