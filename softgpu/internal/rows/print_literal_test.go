package rows

import (
	"encoding/binary"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/require"
)

// TestLiteralsThatInlineConstantsCouldStandFor compares them with llvm-mc's text, as
// checked once: a mark where the bits are those of a constant of the operand's type.
func TestLiteralsThatInlineConstantsCouldStandFor(t *testing.T) {
	for _, c := range []struct {
		word, literal uint32
		want          string
	}{
		{0xbe9801ff, 0xffffffff, "s_mov_b64 s[24:25], 0xffffffff"},
		{0xbe9801ff, 0xfffffff0, "s_mov_b64 s[24:25], 0xfffffff0"},
		{0xbe9801ff, 7, "s_mov_b64 s[24:25], lit(0x7)"},
		{0xbe9801ff, 0, "s_mov_b64 s[24:25], lit(0x0)"},
		{0xbe9801ff, 0x3f000000, "s_mov_b64 s[24:25], 0x3f000000"},
		{0x7cc204ff, 0x3fe00000, "v_cmp_lt_f64_e32 vcc, 0.5, v[2:3]"},
		{0x7cc204ff, 0xc0100000, "v_cmp_lt_f64_e32 vcc, -4.0, v[2:3]"},
		{0x7cc204ff, 0, "v_cmp_lt_f64_e32 vcc, 0, v[2:3]"},
		{0x7cc204ff, 7, "v_cmp_lt_f64_e32 vcc, 0x7, v[2:3]"},
		{0x7cc204ff, 0x3fc45f30, "v_cmp_lt_f64_e32 vcc, 0x3fc45f30, v[2:3]"},
		{0x7e001eff, 0xbff00000, "v_cvt_f32_f64_e32 v0, -1.0"},
	} {
		code := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, c.word), c.literal)
		i, err := Decode(code, 0, encoding.Gfx906)
		require.NoError(t, err)
		require.Equal(t, c.want, i.String())
		require.EqualValues(t, 8, i.Size)
	}
}
