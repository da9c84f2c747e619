package gcn

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestImagesThatAreNotSimulatedEndTheWave names what they are.
func TestImagesThatAreNotSimulatedEndTheWave(t *testing.T) {
	const plain3 = 4 | 5<<3 | 6<<6 | 7<<9 | image2D<<28
	good := [12]uint32{1: 10 << 20, 3: plain3, 8: 2 | 2<<3 | 2<<6}
	for want, change := range map[string]func(s *[12]uint32){
		"a cube":               func(s *[12]uint32) { s[3] = s[3]&^(15<<28) | 11<<28 },
		"many samples":         func(s *[12]uint32) { s[3] = s[3]&^(15<<28) | 14<<28 },
		"swizzle mode":         func(s *[12]uint32) { s[3] |= 9 << 20 },
		"mipmaps":              func(s *[12]uint32) { s[3] |= 3 << 16 },
		"compressed":           func(s *[12]uint32) { s[6] = 1 << 21 },
		"of a format":          func(s *[12]uint32) { s[1] = 6 << 20 },
		"mirrors once":         func(s *[12]uint32) { s[8] = 3 },
		"anisotropic":          func(s *[12]uint32) { s[10] = 2 << 20 },
		"minimum or maximum":   func(s *[12]uint32) { s[8] |= 1 << 29 },
		"colour of its own":    func(s *[12]uint32) { s[11] = 3 << 30 },
		"that is not mapped":   func(*[12]uint32) {},
		"an image of a format": func(s *[12]uint32) { s[1] = 10<<20 | 9<<26 },
	} {
		i := mustDecode(t, Gfx906, 0xf09c0f00, 0x00420008) // image_sample_lz v[0:3], v8, s[8:15], s[8:11]
		require.Equal(t, "image_sample_lz", i.Row.Name)
		i.Src[1].Reg, i.Src[2].Reg = 16, 24
		w := newWave()
		s := good
		change(&s)
		copy(w.S[16:], s[:])
		i.Row.Do(&i)(w)
		require.Equal(t, Faulted, w.Status, want)
		assert.Contains(t, w.Fault.Reason, want)
	}
}

// TestTexelComponents converts the ends of each number format.
func TestTexelComponents(t *testing.T) {
	one, minus := math.Float32bits(1), math.Float32bits(-1)
	for _, c := range []struct {
		n           numberFormat
		v           uint32
		width       uint
		want        uint32
		description string
	}{
		{numberUnorm, 255, 8, one, "unorm"}, {numberUnorm, 0, 8, 0, "unorm"}, {numberUnorm, 1023, 10, one, "unorm"},
		{numberSnorm, 127, 8, one, "snorm"}, {numberSnorm, 129, 8, minus, "snorm"}, {numberSnorm, 128, 8, minus, "snorm's least"},
		{numberUscaled, 200, 8, math.Float32bits(200), "uscaled"}, {numberSscaled, 0xff38, 16, math.Float32bits(-200), "sscaled"},
		{numberUint, 200, 8, 200, "uint"}, {numberSint, 200, 8, uint32(math.MaxUint32 - 55), "sint"},
		{numberFloat, 0x3c00, 16, one, "half"}, {numberFloat, one, 32, one, "single"},
	} {
		assert.Equal(t, c.want, c.n.value(c.v, c.width), c.description)
	}
	assert.Equal(t, uint32(1), numberUint.one())
	assert.Equal(t, one, numberFloat.one())
}
