package toolchain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStringsOfMLIR(t *testing.T) {
	b, end, err := unescape(`\7FELF\00\\x\22\"y" rest`)
	require.NoError(t, err)
	assert.Equal(t, "\x7fELF\x00\\x\"\"y", string(b))
	assert.Equal(t, len(`\7FELF\00\\x\22\"y`), end)
	for _, bad := range []string{`no end`, `\`, `\7`, `\zz"`} {
		_, _, err := unescape(bad)
		assert.Error(t, err, bad)
	}
}

func TestModulesWithoutBinaries(t *testing.T) {
	found, err := Binaries("module {}")
	require.NoError(t, err)
	assert.Empty(t, found)
	_, err = Binaries("gpu.binary @m [#gpu.object<>]")
	assert.ErrorContains(t, err, "binary m has no bytes")
}

func FuzzStringsOfMLIR(f *testing.F) {
	f.Add(`\7FELF"`)
	f.Add(`\"`)
	f.Fuzz(func(t *testing.T, text string) {
		b, end, err := unescape(text)
		if err == nil && (text[end] != '"' || len(b) > end) {
			t.Errorf("%q ends at %d with %d bytes", text, end, len(b))
		}
		if err != nil && strings.Contains(text, `"`) && !strings.Contains(text, `\`) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
