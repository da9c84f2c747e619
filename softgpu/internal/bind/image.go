package bind

import (
	"math"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Images: a resource of eight scalar registers tells where texels are, how
// many, and in which format. What compilers make of OpenCL's images that are
// read is executed, for images that lie in rows as memory does: of one, two or three
// dimensions or arrays of the former, without mipmaps, compression or
// swizzled layouts. Any other resource ends the wave with a fault that names
// what it has.

// imageOf is a resource, taken apart.
type image struct {
	base                 uint64
	width, height, depth int // depth: slices of a volume, layers of an array
	pitch                int // texels from one row to the next
	layer                int // the first of an array's layers that can be seen
	dims                 int // coordinates of a texel, the layer not counted
	array                bool
	format               *texelFormat
	number               NumberFormat
	swizzle              [4]uint8
}

// Types of images.
const (
	image1D      = 8
	Image2D      = 9
	image3D      = 10
	image1DArray = 12
	image2DArray = 13
)

// imageOf reads the resource in eight scalar registers. why is empty if it is
// one of those that are simulated.
func imageOf(w *wave.Wave, reg int) (r image, why string) {
	var s [8]uint32
	for n := range s {
		s[n] = w.S[(reg+n)&wave.AllScalars]
	}
	r = image{
		base:   (uint64(s[0]) | uint64(s[1]&0xff)<<32) << 8,
		width:  int(s[2]&0x3fff) + 1,
		height: int(s[2]>>14&0x3fff) + 1,
		depth:  int(s[4]&0x1fff) + 1,
		pitch:  int(s[4]>>13&0xffff) + 1,
		number: NumberFormat(s[1] >> 26 & 15),
	}
	for n := range r.swizzle {
		r.swizzle[n] = uint8(s[3] >> (3 * n) & 7)
	}
	switch s[3] >> 28 {
	case image1D:
		r.dims, r.height, r.depth = 1, 1, 1
	case Image2D:
		r.dims, r.depth = 2, 1
	case image3D:
		r.dims = 3
	case image1DArray:
		r.dims, r.array, r.height = 1, true, 1
	case image2DArray:
		r.dims, r.array = 2, true
	default:
		return r, "a cube, or an image of many samples"
	}
	if r.array {
		r.layer = int(s[5] & 0x1fff)
	}
	switch {
	case s[3]>>20&31 != 0:
		return r, "an image that does not lie in rows (swizzle mode)"
	case s[3]>>12&0xff != 0:
		return r, "an image with mipmaps"
	case s[6]>>21&1 != 0:
		return r, "a compressed image"
	}
	if r.format = formatOf(s[1]>>20&63, r.number); r.format == nil {
		return r, "an image of a format"
	}
	return r, ""
}

// texel reads one texel's components in the order of the resource's swizzle: zeros outside of the image.
func (r *image) texel(w *wave.Wave, lane, x, y, z int) (t texel) {
	if x < 0 || y < 0 || z < 0 || x >= r.width || y >= r.height || z >= r.depth {
		return t
	}
	size := r.format.bytes()
	device := r.base + uint64(((z*r.height+y)*r.pitch+x)*size)
	addr, ok := w.Locate(device, uint64(size), false)
	if !ok {
		w.FailAccess(lane, device, false)
		return t
	}
	return r.order(r.format.load(addr, r.number))
}

// order applies the swizzle: constants, or components of the texel in memory.
func (r *image) order(in texel) (out texel) {
	for n, sel := range r.swizzle {
		switch {
		case sel >= 4:
			out[n] = in[sel-4]
		case sel == 1:
			out[n] = r.number.One()
		}
	}
	return out
}

// imageAccess is the common part of image instructions.
type imageAccess struct {
	resource int
	addr, to wave.Registers
	mask     uint8
}

// bindImage returns nil for instructions with flags that are not simulated.
func bindImage(i *encoding.Inst) *imageAccess {
	if i.TFE || i.DMask == 0 || i.Extra&(encoding.ImageA16|encoding.ImageLWE|encoding.ImageD16) != 0 {
		return nil
	}
	return &imageAccess{int(i.Src[1].Reg), BindRegisters(&i.Src[0]), BindRegisters(&i.Dst), i.DMask}
}

// put writes the components of the mask to consecutive registers.
func (a *imageAccess) put(w *wave.Wave, lane int, t texel) {
	n := 0
	for c, v := range t {
		if a.mask>>c&1 != 0 {
			a.to.Of(w, n)[lane] = v
			n++
		}
	}
}

// coordinates returns the lane's address registers; those that the image does not use are 0.
func (a *imageAccess) coordinates(w *wave.Wave, r *image, lane int) (c [3]uint32) {
	count := r.dims
	if r.array {
		count++
	}
	for n := range count {
		c[n] = a.addr.Of(w, n)[lane]
	}
	return c
}

// place turns coordinates of texels into indices: a layer comes last.
func (r *image) place(c [3]int) (x, y, z int) {
	x, y, z = c[0], c[1], c[2]
	switch {
	case r.dims == 1 && r.array:
		return x, 0, y + r.layer
	case r.array:
		return x, y, z + r.layer
	}
	return x, y, z
}

// ImageLoad is image_load: a texel by whole numbers; outside of the image it is 0.
func ImageLoad(i *encoding.Inst) encoding.Step {
	a := bindImage(i)
	if a == nil {
		return nil
	}
	return a.step(-1, func(w *wave.Wave, r image, _ sampler, lane int) texel {
		c := a.coordinates(w, &r, lane)
		x, y, z := r.place([3]int{int(int32(c[0])), int(int32(c[1])), int(int32(c[2]))})
		return r.texel(w, lane, x, y, z)
	})
}

// step reads the resources once and computes each active lane. Without a
// sampler, its register is -1.
func (a *imageAccess) step(through int, f func(w *wave.Wave, r image, s sampler, lane int) texel) encoding.Step {
	return func(w *wave.Wave) {
		if w.Exec() == 0 {
			return // on a path that no lane takes a resource may be anything
		}
		r, why := imageOf(w, a.resource)
		var s sampler
		if why == "" && through >= 0 {
			s, why = samplerOf(w, through)
		}
		if why != "" {
			w.Fail("access to "+why+", which is not simulated", -1, r.base)
			return
		}
		for m := w.Exec(); m != 0 && w.Status != wave.Faulted; m &= m - 1 {
			lane := bits.TrailingZeros64(m) & 63
			if t := f(w, r, s, lane); w.Status != wave.Faulted {
				a.put(w, lane, t)
			}
		}
	}
}

// singles reads coordinates as such; a NaN counts as 0.
func singles(c [3]uint32) (f [3]float64) {
	for n, v := range c {
		if x := float64(math.Float32frombits(v)); x == x {
			f[n] = x
		}
	}
	return f
}
