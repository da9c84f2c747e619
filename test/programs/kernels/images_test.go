package kernels

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/test/internal/softgpu"
)

// Types and formats of image resources, and bits of samplers, as GFX9 encodes them.
const (
	line1D, plane2D, volume3D, layers2D = 8, 9, 10, 13

	data8x4, data32x4, data16x2 = 10, 14, 5
	unorm, uints, float         = 0, 4, 7

	repeat, mirror, last, border = 0, 1, 2, 6
	unnormalized                 = 1 << 15
	bilinear                     = 1<<20 | 1<<22
	bilinearZ                    = 2 << 24
)

// texels is an image in memory: what is at x, y, z.
type texels struct {
	kind, data, number   int
	width, height, depth int
	pitch                int // texels from row to row
	bytes                int // of a texel
}

// resource lays the image's words out where a kernel's image argument points.
func (i texels) resource(x *Exam, memory softgpu.Buffer) softgpu.Buffer {
	base := uint64(memory.Ptr)
	if base%256 != 0 {
		x.Fatalf("image at %#x", base)
	}
	const xyzw = 4 | 5<<3 | 6<<6 | 7<<9
	return In(x, []uint32{
		uint32(base >> 8), uint32(base>>40) | uint32(i.data)<<20 | uint32(i.number)<<26,
		uint32(i.width-1) | uint32(i.height-1)<<14, xyzw | uint32(i.kind)<<28,
		uint32(i.depth-1) | uint32(i.pitch-1)<<13, 0, 0, 0, 0, 0, 0, 0,
	})
}

// sampler lays a sampler's words out.
func sampler(x *Exam, wrap int, word0, word2 uint32) softgpu.Buffer {
	w := uint32(wrap)
	return In(x, []uint32{w | w<<3 | w<<6 | word0, 0, word2, 0})
}

// wrapped is the index that a coordinate outside means; less than 0: the border.
func wrapped(i, n, wrap int) int {
	switch wrap {
	case repeat:
		return ((i % n) + n) % n
	case mirror:
		if i = ((i % (2 * n)) + 2*n) % (2 * n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	case last:
		return max(0, min(i, n-1))
	}
	if i < 0 || i >= n {
		return -1
	}
	return i
}

// mix is a linear filter along one axis: neighbours around a coordinate and the weight of the second.
func mix(at float64) (first int, weight float64) {
	at = math.Round((at-0.5)*256) / 256
	return int(math.Floor(at)), at - math.Floor(at)
}

var images2D = []Row{
	{"images.cl", "fetch", func(x *Exam) {
		i := texels{plane2D, data8x4, unorm, 13, 7, 1, 64, 4}
		memory, words := Out[uint32](x, 64*7)
		for n := range words {
			words[n] = x.Uint32()
		}
		out, got := Out[[4]float32](x, 16*16)
		x.LaunchGrid(softgpu.Grid{Groups: [3]uint32{2, 2}, Items: [3]uint32{8, 8}}, i.resource(x, memory), out)
		Equal(x, Make(256, func(n int) (want [4]float32) {
			u, v := n%16-2, n/16-2
			if u >= 0 && v >= 0 && u < 13 && v < 7 {
				for c := range want {
					want[c] = float32(words[64*v+u]>>(8*c)&255) / 255
				}
			}
			return want
		}), got)
	}},
	{"images.cl", "sample", func(x *Exam) {
		i := texels{plane2D, data32x4, float, 9, 5, 1, 16, 16}
		memory, pixels := Out[[4]float32](x, 16*5)
		for n := range pixels {
			for c := range pixels[n] {
				pixels[n][c] = float32(x.IntN(2000)) / 8
			}
		}
		for _, wrap := range []int{repeat, mirror, last, border} {
			at := Make(256, func(int) [2]float32 { return [2]float32{x.Float32()*4 - 1.5, x.Float32()*4 - 1.5} })
			out, got := Out[[4]float32](x, 256)
			x.Launch(2, 128, i.resource(x, memory), sampler(x, wrap, 0, bilinear), In(x, at), out)
			for n, p := range at {
				u, wu := mix(float64(p[0]) * 9)
				v, wv := mix(float64(p[1]) * 5)
				for c := range 4 {
					sum := 0.0
					for corner := range 4 {
						weight := [2]float64{1 - wu, wu}[corner&1] * [2]float64{1 - wv, wv}[corner>>1]
						a, b := wrapped(u+corner&1, 9, wrap), wrapped(v+corner>>1, 5, wrap)
						if a >= 0 && b >= 0 {
							sum += weight * float64(pixels[16*b+a][c])
						}
					}
					if math.Abs(sum-float64(got[n][c])) > 1e-4 {
						x.Fatalf("wrap %d at %v: component %d is %v, want %v", wrap, p, c, got[n][c], sum)
					}
				}
			}
		}
	}},
	{"images.cl", "sample_line", func(x *Exam) {
		i := texels{line1D, data16x2, float, 100, 1, 1, 128, 4}
		memory, bytes := Out[byte](x, 128*4)
		for n := range 100 {
			binary.LittleEndian.PutUint16(bytes[4*n:], 0x3c00+uint16(n)) // 1 + n/1024
			binary.LittleEndian.PutUint16(bytes[4*n+2:], 0xc000)         // -2
		}
		at := Make(128, func(n int) float32 { return float32(n) - 10.25 })
		out, got := Out[[4]float32](x, 128)
		x.Launch(1, 128, i.resource(x, memory), sampler(x, last, unnormalized, 0), In(x, at), out)
		Equal(x, Make(128, func(n int) [4]float32 {
			u := wrapped(int(math.Floor(float64(at[n]))), 100, last)
			return [4]float32{1 + float32(u)/1024, -2, 0, 1}
		}), got)
	}},
	{"images.cl", "sample_volume", func(x *Exam) {
		i := texels{volume3D, data32x4, float, 4, 4, 4, 16, 16}
		memory, pixels := Out[[4]float32](x, 16*4*4)
		for z := range 4 {
			for y := range 4 {
				for u := range 4 {
					pixels[(z*4+y)*16+u] = [4]float32{float32(u), float32(y), float32(z), 1}
				}
			}
		}
		// Between the centres, a linear filter gives back the coordinates.
		at := Make(64, func(int) [4]float32 {
			q := func() float32 { return 0.5 + float32(x.IntN(3*256))/256 }
			return [4]float32{q() / 4, q() / 4, q() / 4, 0}
		})
		out, got := Out[[4]float32](x, 64)
		x.Launch(1, 64, i.resource(x, memory), sampler(x, last, 0, bilinear|bilinearZ), In(x, at), out)
		Equal(x, Make(64, func(n int) [4]float32 {
			return [4]float32{at[n][0]*4 - 0.5, at[n][1]*4 - 0.5, at[n][2]*4 - 0.5, 1}
		}), got)
	}},
	{"images.cl", "sample_layers", func(x *Exam) {
		i := texels{layers2D, data8x4, uints, 8, 8, 3, 64, 4}
		memory, words := Out[uint32](x, 64*8*3)
		for n := range words {
			words[n] = x.Uint32()
		}
		at := Make(128, func(int) [4]float32 {
			return [4]float32{x.Float32() * 8, x.Float32() * 8, x.Float32()*5 - 1, 0}
		})
		out, got := Out[[4]uint32](x, 128)
		x.Launch(1, 128, i.resource(x, memory), sampler(x, last, unnormalized, 0), In(x, at), out)
		Equal(x, Make(128, func(n int) (want [4]uint32) {
			layer := max(0, min(int(math.RoundToEven(float64(at[n][2]))), 2))
			w := words[(layer*8+int(at[n][1]))*64+int(at[n][0])]
			for c := range want {
				want[c] = w >> (8 * c) & 255
			}
			return want
		}), got)
	}},
}

// TestImages runs on the chips that have images: gfx942 does not.
func TestImages(t *testing.T) {
	for _, chip := range []string{"gfx906", "gfx908", "gfx90a"} {
		for _, r := range images2D {
			t.Run(chip+"/"+r.Name, func(t *testing.T) { r.Run(t, Target{chip, "-O2", 0}) })
		}
	}
}
