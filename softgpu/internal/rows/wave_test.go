package rows

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// Operand numbers for the encoder of tests: s(n), v(n) or one of the source numbers.
func v(n int) uint32 { return 256 + uint32(n) }
func s(n int) uint32 { return uint32(n) }

// rowNamed finds a row and the encoding that it is listed for.
func rowNamed(t testing.TB, name string) (*encoding.Row, encoding.Encoding) {
	t.Helper()
	for _, set := range []struct {
		enc  encoding.Encoding
		rows []encoding.Row
	}{{encoding.SOP2, rowsSOP2()}, {encoding.SOPK, rowsSOPK()}, {encoding.SOP1, rowsSOP1()}, {encoding.SOPC, rowsSOPC()}, {encoding.SOPP, rowsSOPP()}, {encoding.SMEM, rowsSMEM()}, {encoding.VOP2, rowsVOP2()},
		{encoding.VOP1, rowsVOP1()}, {encoding.VOPC, rowsVOPC()}, {encoding.VOP3, rowsVOP3()}, {encoding.VOP3P, rowsVOP3P()}, {encoding.DS, rowsDS()}, {encoding.FLAT, rowsFlat()},
		{encoding.FLAT, rowsScratch()}, {encoding.FLAT, rowsGlobal()}, {encoding.MUBUF, rowsMUBUF()}, {encoding.MIMG, rowsMIMG()}} {
		for n := range set.rows {
			if set.rows[n].Name == name {
				return &set.rows[n], set.enc
			}
		}
	}
	require.FailNow(t, "no row is called "+name)
	return nil, 0
}

// short encodes an instruction in the encoding that its row is listed for, one word (or two of a
// VOP3 one without modifiers): destination, then sources in the order of fields.
func short(t testing.TB, name string, dst uint32, src ...uint32) []uint32 {
	t.Helper()
	row, enc := rowNamed(t, name)
	src = append(src, 0, 0, 0)
	op := uint32(row.Op)
	switch enc {
	case encoding.VOP2:
		return []uint32{op<<25 | dst&0xff<<17 | src[1]&0xff<<9 | src[0]}
	case encoding.VOP1:
		return []uint32{0x3f<<25 | dst&0xff<<17 | op<<9 | src[0]}
	case encoding.VOPC:
		return []uint32{0x3e<<25 | op<<17 | src[1]&0xff<<9 | src[0]}
	case encoding.SOP2:
		return []uint32{2<<30 | op<<23 | dst<<16 | src[1]<<8 | src[0]}
	case encoding.SOP1:
		return []uint32{0x17d<<23 | dst<<16 | op<<8 | src[0]}
	case encoding.SOPC:
		return []uint32{0x17e<<23 | op<<16 | src[1]<<8 | src[0]}
	case encoding.SOPK:
		return []uint32{0xb<<28 | op<<23 | dst<<16 | src[0]&0xffff}
	case encoding.SOPP:
		return []uint32{0x17f<<23 | op<<16 | src[0]&0xffff}
	case encoding.VOP3P:
		return []uint32{0x1a7<<23 | op<<16 | 1<<14 | dst&0xff, src[0] | src[1]<<9 | src[2]<<18 | 3<<27}
	}
	return long(t, name, dst, src...)
}

// long encodes the VOP3 form. A scalar destination beside a vector one is vcc.
func long(t testing.TB, name string, dst uint32, src ...uint32) []uint32 {
	t.Helper()
	row, enc := rowNamed(t, name)
	src = append(src, 0, 0, 0)
	op := uint32(row.Op)
	switch enc {
	case encoding.VOP2:
		op += 0x100
	case encoding.VOP1:
		op += 0x140
	}
	lo := 0x34<<26 | op<<16 | dst&0xff
	if row.Form.SDst.Class != encoding.NoSlot && enc != encoding.VOPC {
		lo |= wave.VccLo << 8
	}
	return []uint32{lo, src[0] | src[1]<<9 | src[2]<<18}
}

// inst decodes what an encoder made.
func inst(t testing.TB, words []uint32) *encoding.Inst {
	t.Helper()
	return instOf(t, encoding.Gfx906, words)
}

// instOf decodes an instruction of a chip.
func instOf(t testing.TB, chip encoding.Chip, words []uint32) *encoding.Inst {
	t.Helper()
	var code []byte
	for _, w := range append(words, 0xbf800000) {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	i, err := Decode(code, 0, chip)
	require.NoError(t, err)
	return &i
}

// stepOf returns the step of an instruction that has to have one.
func stepOf(t testing.TB, words []uint32) encoding.Step {
	t.Helper()
	i := inst(t, words)
	require.True(t, Executable(i), "%s has no meaning", i.Row.Name)
	return i.Row.Do(i)
}

const defaultMode = alu.Denorms32 | alu.Denorms64 | alu.DX10Clamp | alu.IEEEMode

func newWave() *wave.Wave {
	w := &wave.Wave{V: make([]alu.Lanes, 32), Mode: defaultMode}
	w.SetExec(alu.Full)
	return w
}

// randomWave has random registers.
func randomWave(r *rand.Rand) *wave.Wave {
	w := newWave()
	for n := range w.V {
		for l := range w.V[n] {
			w.V[n][l] = r.Uint32()
		}
	}
	for n := 0; n < 102; n++ {
		w.S[n] = r.Uint32()
	}
	return w
}
