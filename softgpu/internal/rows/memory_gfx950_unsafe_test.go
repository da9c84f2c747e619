package rows

import (
	"encoding/binary"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run950 runs one instruction of gfx950.
func run950(t *testing.T, w *wave.Wave, code ...uint32) *encoding.Inst {
	t.Helper()
	i, err := Decode(words(code...), 0, encoding.Gfx950)
	require.NoError(t, err)
	require.True(t, Executable(&i), &i)
	i.Row.Do(&i)(w)
	require.Equal(t, wave.Running, w.Status, "%s: %+v", &i, w.Fault)
	return &i
}

// TestTransposingLoadsGiveColumns lays four matrices of 16 columns in LDS, row after
// row, and wants each lane to have a column.
func TestTransposingLoadsGiveColumns(t *testing.T) {
	for name, bits := range map[string]int{"ds_read_b64_tr_b4": 4, "ds_read_b96_tr_b6": 6, "ds_read_b64_tr_b8": 8, "ds_read_b64_tr_b16": 16} {
		row, _ := rowNamed(t, name)
		bytes := map[int]int{4: 8, 6: 12, 8: 8, 16: 8}[bits] // in each lane
		rows := bytes * 8 / bits
		w := newWave()
		w.LDS = make([]byte, 64*bytes+8)
		entry := func(matrix, row, column int) uint64 { return uint64(matrix*7+row*5+column*3+1) & (1<<bits - 1) }
		for n := range 64 * rows {
			x := entry(n/16/rows, n/16%rows, n%16)
			for b := range bits {
				at := 64 + n*bits + b // after the first 8 bytes
				w.LDS[at/8] |= byte(x>>b&1) << (at % 8)
			}
		}
		for l := range w.V[4] {
			w.V[4][l] = uint32(l * bytes)
		}
		before := w.V[23]
		run950(t, w, 0x36<<26|uint32(row.Op)<<17|8, 4|20<<24)
		for l := range 64 {
			for r := range rows {
				var got uint64
				for b := range bits {
					at := r*bits + b
					got |= uint64(w.V[20+at/32][l]>>(at%32)&1) << b
				}
				require.Equal(t, entry(l/16, r, l%16), got, "%s: lane %d, row %d", name, l, r)
			}
		}
		require.Equal(t, before, w.V[23], name)
	}
}

// TestLoadsIntoLDSOfSeveralWords moves three and four words for each lane, through
// pointers and buffers, and leaves out the lanes that are not active or out of range.
func TestLoadsIntoLDSOfSeveralWords(t *testing.T) {
	for _, c := range []struct {
		name   string
		count  int
		buffer bool
	}{{"global_load_lds_dwordx3", 3, false}, {"global_load_lds_dwordx4", 4, false}, {"buffer_load_dwordx3", 3, true}, {"buffer_load_dwordx4", 4, true}, {"buffer_load_dword", 1, true}} {
		mem := &samples.Memory{}
		b, base := mem.Add(64*20, false)
		for n := range b {
			b[n] = byte(n * 31 >> 3)
		}
		w := newWave()
		w.Mem, w.LDS = mem, make([]byte, 1<<17)
		w.S[wave.M0] = 0x10008
		w.SetExec(alu.Full &^ (1 << 9))
		if c.buffer {
			w.S[8], w.S[9], w.S[10], w.S[11] = uint32(base), uint32(base>>32), 60*20+12, 0 // two words of lane 60
		}
		for l := range w.V[4] {
			at := base + uint64(l*20)
			if c.buffer {
				at = uint64(l * 20)
			}
			w.V[4][l], w.V[5][l] = uint32(at), uint32(at>>32)
		}
		var i *encoding.Inst
		if c.buffer {
			code := mubuf(t, c.name, 0, 4, 8, 128, 4, true, false, false)
			i = run950(t, w, code[0]|1<<16, code[1])
		} else {
			row, _ := rowNamed(t, c.name)
			i = run950(t, w, 0x37<<26|uint32(row.Op)<<18|encoding.SegGlobal<<14|4, 4|0x7f<<16)
		}
		for l := range 64 {
			for n := range c.count {
				want := uint32(0)
				if l != 9 && (!c.buffer || l < 60 || l == 60 && n < 2) {
					want = binary.LittleEndian.Uint32(b[l*20+4+n*4:])
				}
				got := binary.LittleEndian.Uint32(w.LDS[0x10008+4+(l*c.count+n)*4:])
				require.Equal(t, want, got, "%s: lane %d, word %d", i, l, n)
			}
		}
		assert.Equal(t, byte(0), w.LDS[0x1000b])

		told := &recorder{}
		w.Watch = told
		watch.Watched(i, i.Row.Do(i), 0)(w)
		into := told.seen[len(told.seen)-1]
		assert.Equal(t, wave.Workgroup, into.Segment)
		assert.Equal(t, uint64(c.count*4), into.Size)
		assert.Equal(t, uint64(0x10008+4+63*c.count*4), into.At[63], c.name)
	}
}

// TestScalesOfAMatrixInstructionAreOneWithIt decodes both together, and each alone.
func TestScalesOfAMatrixInstructionAreOneWithIt(t *testing.T) {
	code := []uint32{0xd3ac0000, 0x00023318, 0xd3ad0800, 0x04521904}
	i := mustDecode(t, encoding.Gfx950, code...)
	assert.Equal(t, uint8(16), i.Size)
	assert.Equal(t, encoding.VOP3PX, i.Enc)
	assert.Equal(t, "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[20:23], v24, v25 op_sel_hi:[0,0,0]", i.String())
	i = mustDecode(t, encoding.Gfx950, code[:2]...)
	assert.Equal(t, "v_mfma_ld_scale_b32 v24, v25 op_sel_hi:[0,0]", i.String())
	_, err := Decode(words(code[2:]...), 0, encoding.Gfx950)
	require.ErrorContains(t, err, "reserved bits")
	code[2] &^= 15 << 11
	i = mustDecode(t, encoding.Gfx950, code...)
	assert.Equal(t, uint8(8), i.Size)
	_, err = Decode(words(code...), 0, encoding.Gfx942)
	require.ErrorContains(t, err, "unknown opcode")
}

// TestFormatsThatDoNotExistAreRefused: CBSZ and BLGP have five of eight values.
func TestFormatsThatDoNotExistAreRefused(t *testing.T) {
	for n := range uint32(8) {
		lo, hi := matrixWords(t, "v_mfma_f32_16x16x128_f8f6f4", encoding.Gfx950, 0, v(8), v(16), v(0), n, 0, 4)
		i := mustDecode(t, encoding.Gfx950, lo, hi)
		assert.Equal(t, n <= 4, Executable(&i), "%s", &i)
		lo, hi = matrixWords(t, "v_mfma_f32_16x16x128_f8f6f4", encoding.Gfx950, 0, v(8), v(16), v(0), 0, 0, n)
		i = mustDecode(t, encoding.Gfx950, lo, hi)
		assert.Equal(t, n <= 4, Executable(&i), "%s", &i)
	}
}
