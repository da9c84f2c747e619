package rows

import (
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestImagesThatAreNotSimulatedEndTheWave names what they are.
func TestImagesThatAreNotSimulatedEndTheWave(t *testing.T) {
	const plain3 = 4 | 5<<3 | 6<<6 | 7<<9 | bind.Image2D<<28
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
		i := mustDecode(t, encoding.Gfx906, 0xf09c0f00, 0x00420008) // image_sample_lz v[0:3], v8, s[8:15], s[8:11]
		require.Equal(t, "image_sample_lz", i.Row.Name)
		i.Src[1].Reg, i.Src[2].Reg = 16, 24
		w := newWave()
		s := good
		change(&s)
		copy(w.S[16:], s[:])
		i.Row.Do(&i)(w)
		require.Equal(t, wave.Faulted, w.Status, want)
		assert.Contains(t, w.Fault.Reason, want)
	}
}

// TestTexelComponents converts the ends of each number format.
func TestTexelComponents(t *testing.T) {
	one, minus := math.Float32bits(1), math.Float32bits(-1)
	for _, c := range []struct {
		n           bind.NumberFormat
		v           uint32
		width       uint
		want        uint32
		description string
	}{
		{bind.NumberUnorm, 255, 8, one, "unorm"}, {bind.NumberUnorm, 0, 8, 0, "unorm"}, {bind.NumberUnorm, 1023, 10, one, "unorm"},
		{bind.NumberSnorm, 127, 8, one, "snorm"}, {bind.NumberSnorm, 129, 8, minus, "snorm"}, {bind.NumberSnorm, 128, 8, minus, "snorm's least"},
		{bind.NumberUscaled, 200, 8, math.Float32bits(200), "uscaled"}, {bind.NumberSscaled, 0xff38, 16, math.Float32bits(-200), "sscaled"},
		{bind.NumberUint, 200, 8, 200, "uint"}, {bind.NumberSint, 200, 8, uint32(math.MaxUint32 - 55), "sint"},
		{bind.NumberFloat, 0x3c00, 16, one, "half"}, {bind.NumberFloat, one, 32, one, "single"},
	} {
		assert.Equal(t, c.want, c.n.Value(c.v, c.width), c.description)
	}
	assert.Equal(t, uint32(1), bind.NumberUint.One())
	assert.Equal(t, one, bind.NumberFloat.One())
}
