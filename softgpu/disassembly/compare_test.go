package disassembly

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// TestDifferencesAreFound changes words in a code object under LLVM's feet.
func TestDifferencesAreFound(t *testing.T) {
	image, err := os.ReadFile(filepath.Join("..", "..", "internal", "codeobj", "testdata", "v5.hsaco"))
	require.NoError(t, err)
	l := line{text: "s_nop 0", words: []uint32{0xbf800001}}
	require.ErrorContains(t, l.compare([]byte{1, 0, 0x80, 0xbf}, encoding.Gfx906, new(encoding.HighBits)), `"s_nop 0" of 4 bytes to LLVM, here "s_nop 1" of 4`)
	l = line{text: ".long 0xbf800001", words: []uint32{0xbf800001}}
	require.ErrorContains(t, l.compare([]byte{1, 0, 0x80, 0xbf}, encoding.Gfx906, new(encoding.HighBits)), `not an instruction to LLVM, here "s_nop 1"`)
	l = line{text: "s_nop 1", words: []uint32{0xffffffff}}
	require.ErrorContains(t, l.compare([]byte{0xff, 0xff, 0xff, 0xff}, encoding.Gfx906, new(encoding.HighBits)), `is "s_nop 1" to LLVM, here gcn`)
	_, err = Compare(image[:100])
	require.Error(t, err)
}
