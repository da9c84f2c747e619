package bind

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// sampler is a resource of four scalar registers that tells how coordinates
// find texels.
type sampler struct {
	wrap         [3]wrapMode // for each coordinate
	unnormalized bool
	linear       bool // between neighbours in x and y
	linearZ      bool // and between slices
	border       uint8
}

// wrapMode is the rule for coordinates outside of the image.
type wrapMode uint8

// Wrap modes, as encoded.
const (
	wrapRepeat    wrapMode = 0
	wrapMirror    wrapMode = 1
	wrapLastTexel wrapMode = 2
	wrapBorder    wrapMode = 6
)

// samplerOf reads four scalar registers. why is empty if it is one that is simulated.
func samplerOf(w *wave.Wave, reg int) (s sampler, why string) {
	a, c, d := w.S[reg&wave.AllScalars], w.S[(reg+2)&wave.AllScalars], w.S[(reg+3)&wave.AllScalars]
	for n := range s.wrap {
		s.wrap[n] = wrapMode(a >> (3 * n) & 7)
		switch s.wrap[n] {
		case wrapRepeat, wrapMirror, wrapLastTexel, wrapBorder:
		default:
			return s, "a sampler that mixes the border, or mirrors once"
		}
	}
	s.unnormalized, s.border = a>>15&1 != 0, uint8(d>>30)
	s.linear, s.linearZ = c>>20&3 == 1, c>>24&3 == 2
	switch {
	case c>>20&3 > 1:
		return s, "an anisotropic sampler"
	case a>>29&3 != 0:
		return s, "a sampler that takes minimum or maximum"
	case s.border == 3:
		return s, "a sampler with a border colour of its own"
	}
	return s, ""
}

// borderColour is the colour outside: transparent black, opaque black or opaque white.
func (s *sampler) borderColour(n NumberFormat) texel {
	switch s.border {
	case 1:
		return texel{3: n.One()}
	case 2:
		return texel{n.One(), n.One(), n.One(), n.One()}
	}
	return texel{}
}

// index returns which of n texels i means; -1: the border.
func (m wrapMode) index(i, n int) int {
	switch m {
	case wrapRepeat:
		return (i%n + n) % n
	case wrapMirror:
		i = (i%(2*n) + 2*n) % (2 * n)
		return min(i, 2*n-1-i)
	case wrapLastTexel:
		return min(max(i, 0), n-1)
	}
	if i < 0 || i >= n {
		return -1
	}
	return i
}

// ImageSample is image_sample and image_sample_lz, which are the same for
// images without mipmaps: the filter is the one for magnification.
func ImageSample(i *encoding.Inst) encoding.Step {
	a := bindImage(i)
	if a == nil {
		return nil
	}
	unnormalized := i.Extra&encoding.ImageUnorm != 0
	return a.step(int(i.Src[2].Reg), func(w *wave.Wave, r image, s sampler, lane int) texel {
		s.unnormalized = s.unnormalized || unnormalized
		return s.sample(w, &r, lane, singles(a.coordinates(w, &r, lane)))
	})
}

// sample mixes up to eight texels around the coordinates.
func (s *sampler) sample(w *wave.Wave, r *image, lane int, at [3]float64) texel {
	size := [3]int{r.width, r.height, r.depth}
	var first [3]int
	var part [3]float64 // share of the neighbour after the first
	for n := range r.dims {
		u := at[n]
		if !s.unnormalized {
			u *= float64(size[n])
		}
		linear := s.linear && n < 2 || s.linearZ && n == 2
		if linear && !r.number.whole() {
			u -= 0.5
			u = math.Round(u*256) / 256 // the filter's weights have eight bits
			part[n] = u - math.Floor(u)
		}
		first[n] = whole(math.Floor(u))
	}
	if r.array {
		first[r.dims] = min(max(whole(math.RoundToEven(at[r.dims])), 0), r.depth-1-r.layer)
	}
	if part == [3]float64{} {
		return s.fetch(w, r, lane, first)
	}
	var sum [4]float64
	for corner := range 8 {
		weight, c := 1.0, first
		for n := range part {
			if corner>>n&1 != 0 {
				weight *= part[n]
				c[n]++
			} else {
				weight *= 1 - part[n]
			}
		}
		if weight == 0 {
			continue
		}
		for n, v := range s.fetch(w, r, lane, c) {
			sum[n] += weight * float64(math.Float32frombits(v))
		}
	}
	var t texel
	for n := range t {
		t[n] = math.Float32bits(float32(sum[n]))
	}
	return t
}

// whole keeps coordinates that no image has within the range of integers.
func whole(x float64) int { return int(min(max(x, -1<<30), 1<<30)) }

// fetch finds one texel, wrapped around or replaced by the border.
func (s *sampler) fetch(w *wave.Wave, r *image, lane int, c [3]int) texel {
	size := [3]int{r.width, r.height, r.depth}
	for n := range r.dims {
		if c[n] = s.wrap[n].index(c[n], size[n]); c[n] < 0 {
			return r.order(s.borderColour(r.number))
		}
	}
	x, y, z := r.place(c)
	return r.texel(w, lane, x, y, z)
}
