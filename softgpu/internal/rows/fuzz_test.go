package rows

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/require"
)

// FuzzDecode: whatever the bytes, Decode returns; what it accepts has a size, a
// text and operands, and decodes to the same again from its own bytes alone.
func FuzzDecode(f *testing.F) {
	for _, chip := range goldenChips {
		for n, g := range readGolden(f, chip) {
			if n%50 == 0 {
				f.Add(g.code, uint32(0), uint8(chip))
			}
		}
	}
	f.Add([]byte{0xff, 0, 0, 0x80}, uint32(0), uint8(0))
	f.Add([]byte{1, 2, 3}, uint32(1<<32-2), uint8(9))
	f.Fuzz(func(t *testing.T, code []byte, off uint32, chip uint8) {
		i, err := Decode(code, off, encoding.Chip(chip))
		if err != nil {
			require.Contains(t, err.Error(), "gcn: ")
			require.Equal(t, encoding.Inst{}, i)
			return
		}
		require.Contains(t, []uint8{4, 8, 12, 16}, i.Size)
		require.LessOrEqual(t, uint64(off)+uint64(i.Size), uint64(len(code)))
		text := i.String()
		require.Regexp(t, `^[a-z]`+i.Row.Name[1:], text)
		require.NotRegexp(t, `  |, ,|[ ,]$|\(bad`, text)
		again, err := Decode(code[off:off+uint32(i.Size)], 0, encoding.Chip(chip))
		require.NoError(t, err)
		require.Equal(t, text, again.String())
	})
}
