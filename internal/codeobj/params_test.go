package codeobj

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParamsAreWhatTheProgramPasses(t *testing.T) {
	image := load(t, "v5.hsaco")
	const gfx906, gfx90a = "hipv4-amdgcn-amd-amdhsa--gfx906", "hipv4-amdgcn-amd-amdhsa--gfx90a"
	bundled := bundle(map[string][]byte{gfx906: image, gfx90a: load(t, "gfx90a.hsaco")}, "host-x86_64-unknown-linux-gnu-", gfx906, gfx90a)
	for what, image := range map[string][]byte{"code object": image, "bundle": bundled} {
		params, err := Params(image, "saxpy")
		require.NoError(t, err, what)
		require.Len(t, params, 5, what)
		assert.Equal(t, uint32(8), params[1].Offset, what)
		assert.Equal(t, uint32(8), params[1].Size, what)
		assert.Equal(t, uint32(4), params[4].Size, what)
		_, err = Params(image, "absent")
		assert.ErrorContains(t, err, "absent", what)
	}
}

func TestParamsOfWhatIsNoCodeObjectAreUnknown(t *testing.T) {
	_, err := Params([]byte(".version 8.0\n"), "saxpy")
	assert.Error(t, err)
	id := "hipv4-x86_64-unknown-linux-gnu--"
	_, err = Params(bundle(map[string][]byte{id: []byte("abc")}, id), "saxpy")
	assert.Error(t, err)
}
