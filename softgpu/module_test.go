package softgpu

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
)

func TestAPreparedModuleIsParsedOnce(t *testing.T) {
	d, err := Open(Options{})
	require.NoError(t, err)
	code := slices.Clone(image(t))
	p := d.PrepareModule(code)
	require.Empty(t, p.Unshareable)
	note := bytes.Index(code, []byte("AMDGPU\x00"))
	require.Positive(t, note)
	copy(code[note:], "hidden")
	_, err = codeobj.Parse(code)
	require.ErrorContains(t, err, "metadata", "who parses the image again finds no kernels")
	m, err := p.Load()
	require.NoError(t, err)
	_, err = d.ModuleGetFunction(m, "vector_add")
	require.NoError(t, err)
	require.NoError(t, d.ModuleUnload(m))
}

func TestAPreparedModuleFailsAsItsImageDoes(t *testing.T) {
	d, err := Open(Options{})
	require.NoError(t, err)
	code := image(t)
	for name, image := range map[string][]byte{
		"for another chip": image(t, "-mcpu=gfx90a"), "nothing": nil, "text": []byte("hello, world\x00"), "cut short": code[:len(code)/2],
		"without its end": code[:len(code)-1], "a header": code[:64], "an empty bundle": append([]byte("__CLANG_OFFLOAD_BUNDLE__"), make([]byte, 8)...),
	} {
		_, want := d.ModuleLoad(image)
		require.Error(t, want, name)
		m, err := d.PrepareModule(image).Load()
		assert.Zero(t, m, name)
		assert.Equal(t, want, err, name)
		kind, _ := codeobj.KindOf(image)
		p, traits := d.PrepareModule(image), codeobj.TraitsOf(kind, image)
		assert.Equal(t, traits, codeobj.Traits{Unshareable: p.Unshareable, Silent: p.Silent}, name)
	}
}
