package codeobj

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAReadingParsesEachCodeObjectOnce(t *testing.T) {
	image, other := load(t, "llvm19.hsaco"), load(t, "globals.hsaco")
	const a, b = "hipv4-amdgcn-amd-amdhsa--gfx906", "hipv4-amdgcn-amd-amdhsa--gfx90a"
	for name, test := range map[string]struct {
		image  []byte
		parses int
	}{
		"a code object":           {image, 1},
		"a bundle":                {bundle(map[string][]byte{a: image, b: image}, "host-x86_64-unknown-linux-gnu-", a, b), 2},
		"one of which is refused": {bundle(map[string][]byte{a: image, b: other}, a, b), 2},
		"damaged":                 {image[:1000], 0}, // no kind of image
	} {
		r, parses := Read(test.image), 0
		r.parse = func(image []byte) (*Object, error) { parses++; return Parse(image) }
		require.Equal(t, Unshareable(r.Kind, test.image), r.Unshareable(), name)
		require.Equal(t, test.parses, parses, name)
		part := test.image
		if r.Kind == KindBundle {
			var err error
			part, err = Unbundle(test.image, "gfx906")
			require.NoError(t, err)
		}
		first, err := r.Parse(part)
		again, errAgain := r.Parse(part)
		assert.Same(t, first, again, name)
		assert.Equal(t, err, errAgain, name)
		assert.Equal(t, max(1, test.parses), parses, "%s: parsed before, and mistakes too", name)
	}
	_, err := Read(nil).Parse(nil)
	assert.Error(t, err)
}
