package rows

import (
	"encoding/binary"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// TestBufferRangesOfRDNA: what is out of range, a resource's bits 28 and 29 of the last word say.
func TestBufferRangesOfRDNA(t *testing.T) {
	const (
		offset, scalarOffset, indexed, two = 0, 1, 2, 3
		structured, index, empty, raw      = 0 << 28, 1 << 28, 2 << 28, 3 << 28
	)
	code := map[int][]uint32{
		offset: {0xe0500000, 0x80411404}, scalarOffset: {0xe0500004, 0x09411404},
		indexed: {0xe0500004, 0x80811404}, two: {0xe0540000, 0x80411404},
	}
	const usual = 1<<24 | 0x27<<12 // as MLIR has it
	for _, c := range []struct {
		name            string
		code            int
		stride, records uint32
		word3           uint32
		first, end      uint32 // of lane 0, and after the last lane that reads; lanes are four bytes or one element apart
	}{
		{"bytes", offset, 0, 100, raw, 0, 25},
		{"bytes, and a scalar", scalarOffset, 0, 100, raw, 4 + 8, 22},
		{"all bytes of a lane", two, 0, 100, raw, 0, 24},
		{"nothing is checked", offset, 0, 1, empty, 0, 32},
		{"nothing is there", offset, 0, 0, empty, 0, 0},
		{"elements", indexed, 8, 20, structured, 4, 20},
		{"elements, whose bytes are checked", indexed, 4, 20, structured, 4, 0},
		{"elements, whose bytes are not checked", indexed, 4, 20, index, 4, 20},
		{"elements by bytes", indexed, 8, 100, raw, 4, 32},
	} {
		for _, chip := range []encoding.Chip{encoding.Gfx1100.Wave32(), encoding.Gfx1151.Wave32()} {
			mem := &samples.Memory{}
			b, base := mem.Add(1024, true)
			samples.Fill(b)
			w := newWave()
			w.SetSize(true)
			w.SetExec(1<<32 - 1)
			w.Mem = mem
			w.S[4], w.S[5], w.S[6], w.S[7], w.S[9] = uint32(base), uint32(base>>32)|c.stride<<16, c.records, c.word3|usual, 8
			step := uint32(4)
			for l := range w.V[4] {
				if w.V[4][l] = uint32(l * 4); c.code == indexed {
					w.V[4][l], step = uint32(l), c.stride
				}
			}
			w.V[20].Fill(9)
			i, err := Decode(words(code[c.code]...), 0, chip)
			require.NoError(t, err)
			Bind(&i, false)(w)
			require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
			for l := range uint32(32) {
				want := uint32(0)
				if l < c.end {
					want = binary.LittleEndian.Uint32(b[c.first+step*l:])
				}
				require.Equal(t, want, w.V[20][l], "%s: lane %d", c.name, l)
			}
		}
	}
}

// TestBuffersOfLargeElementsAreRefused: a fault names what is not executed.
func TestBuffersOfLargeElementsAreRefused(t *testing.T) {
	w := newWave()
	w.Mem = &samples.Memory{}
	w.S[5], w.S[6] = 3<<30|4<<16, 100
	i, err := Decode(words(0xe0500000, 0x80411404), 0, encoding.Gfx1100)
	require.NoError(t, err)
	Bind(&i, false)(w)
	require.Equal(t, wave.Faulted, w.Status)
	require.Contains(t, w.Fault.Reason, "elements of 8 or 16 bytes")
}
