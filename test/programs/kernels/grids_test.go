package kernels

import (
	"math"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/test/internal/softgpu"
)

// plane is a grid of two dimensions in workgroups of 16x16 work-items or less.
func plane(w, h, gw, gh int) softgpu.Grid {
	return softgpu.Grid{Groups: [3]uint32{uint32(w / gw), uint32(h / gh), 1}, Items: [3]uint32{uint32(gw), uint32(gh), 1}}
}

// modulus of the number-theoretic transform, of which 7 is a primitive root.
const modulus = 0xffffffff00000001

func times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, modulus)
}

func power(b, e uint64) uint64 {
	r := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 != 0 {
			r = times(r, b)
		}
		b = times(b, b)
	}
	return r
}

var grids = []Row{
	{"fourier.cl", "fft", func(x *Exam) {
		in := x.Singles(512, -1, 1)
		data, got := Out[float32](x, 512)
		copy(got, in)
		w := Make(512, func(i int) float32 {
			angle := 2 * math.Pi * float64(i/2) / 256
			return float32([]float64{math.Cos(angle), math.Sin(angle)}[i%2])
		})
		x.Launch(1, 128, data, In(x, w))
		want := make([]float32, 512)
		for k := range 256 {
			sum := complex128(0)
			for n := range 256 {
				s, c := math.Sincos(-2 * math.Pi * float64(k*n%256) / 256)
				sum += complex(float64(in[2*n]), float64(in[2*n+1])) * complex(c, s)
			}
			want[2*k], want[2*k+1] = float32(real(sum)), float32(imag(sum))
		}
		Near(x, 1e-5, 10, want, got)
	}},
	{"fourier.cl", "number_transform", func(x *Exam) {
		in := Make(64, func(int) uint64 { return x.Uint64() % modulus })
		data, got := Out[uint64](x, 64)
		copy(got, in)
		x.Launch(1, 32, data)
		w := power(7, (modulus-1)/64)
		Equal(x, Make(64, func(k int) uint64 {
			sum := uint64(0)
			for n, v := range in {
				term := times(v, power(w, uint64(k*n)))
				lo, carry := bits.Add64(sum, term, 0)
				sum = bits.Rem64(carry, lo, modulus)
			}
			return sum
		}), got)
	}},
	{"grids.cl", "stencil", func(x *Exam) {
		const w, h = 40, 25
		in := x.Singles(w*h, -1, 1)
		out, got := Out[float32](x, w*h)
		x.LaunchGrid(plane(48, 32, 16, 16), In(x, in), out, int32(w), int32(h))
		at := func(i, j int) float32 {
			if i < 0 || i >= w || j < 0 || j >= h {
				return 0
			}
			return in[j*w+i]
		}
		Equal(x, Make(w*h, func(k int) float32 {
			i, j := k%w, k/w
			return float32(0.5*at(i, j)) + float32(0.125*(float32(float32(at(i, j-1)+at(i, j+1))+at(i-1, j))+at(i+1, j)))
		}), got)
	}},
	{"grids.cl", "stencil3", func(x *Exam) {
		nx, ny, nz := 8, 6, 10
		in := x.Doubles(nx*ny*nz, -1, 1)
		out, got := Out[float64](x, len(in))
		x.LaunchGrid(softgpu.Grid{Groups: [3]uint32{2, 3, 2}, Items: [3]uint32{4, 2, 5}}, In(x, in), out)
		at := func(i, j, k int) float64 { return in[((k+nz)%nz*ny+(j+ny)%ny)*nx+(i+nx)%nx] }
		Equal(x, Make(len(in), func(n int) float64 {
			i, j, k := n%nx, n/nx%ny, n/nx/ny
			return at(i, j, k) - (at(i-1, j, k)+at(i+1, j, k)+at(i, j-1, k)+at(i, j+1, k)+at(i, j, k-1)+at(i, j, k+1))/6
		}), got)
	}},
	{"grids.cl", "life", func(x *Exam) {
		const w, h = 32, 24
		in := Make(w*h, func(int) byte { return byte(x.IntN(2)) })
		out, got := Out[byte](x, w*h)
		x.LaunchGrid(plane(w, h, 8, 8), In(x, in), out)
		Equal(x, Make(w*h, func(k int) byte {
			n := -int(in[k])
			for d := range 9 {
				n += int(in[(k/w+d/3-1+h)%h*w+(k%w+d%3-1+w)%w])
			}
			if n == 3 || n == 2 && in[k] == 1 {
				return 1
			}
			return 0
		}), got)
	}},
	{"grids.cl", "mandelbrot", func(x *Exam) {
		const w, h = 48, 32
		out, got := Out[uint16](x, w*h)
		x.LaunchGrid(plane(w, h, 16, 4), out, float32(-2), float32(-1), float32(0.0625))
		Equal(x, Make(w*h, func(k int) uint16 {
			cx, cy := -2+float32(k%w)*0.0625, -1+float32(k/w)*0.0625
			n, a, b := uint16(0), float32(0), float32(0)
			for float32(a*a)+float32(b*b) < 4 && n < 200 {
				a, b = float32(float32(a*a)-float32(b*b))+cx, float32(2*a*b)+cy
				n++
			}
			return n
		}), got)
	}},
	{"grids.cl", "julia", func(x *Exam) {
		const w, h = 64, 16
		out, got := Out[byte](x, w*h)
		c := In(x, []float64{-0.4, 0.6}).Bytes
		x.LaunchGrid(plane(w, h, 8, 8), out, c[:16])
		Equal(x, Make(w*h, func(k int) byte {
			n, a, b := byte(0), (float64(k%w)-32)/20, (float64(k/w)-8)/10
			for ; n < 100 && float64(a*a)+float64(b*b) < 4; n++ {
				a, b = float64(float64(a*a)-float64(b*b))-0.4, float64(2*a*b)+0.6
			}
			return n
		}), got)
	}},
	{"grids.cl", "nbody", func(x *Exam) {
		const n = 128
		in := x.Singles(4*n, -1, 1)
		out, got := Out[float32](x, 4*n)
		x.Launch(n/64, 64, In(x, in), out, uint32(n))
		want := make([]float32, 4*n)
		for i := range n {
			for k := range n {
				var d [3]float32
				for c := range d {
					d[c] = in[4*k+c] - in[4*i+c]
				}
				r2 := float32(float32(float32(d[0]*d[0])+float32(d[1]*d[1]))+float32(d[2]*d[2])) + 0.01
				f := in[4*k+3] / float32(r2*float32(math.Sqrt(float64(r2))))
				for c := range d {
					want[4*i+c] += float32(f * d[c])
				}
			}
		}
		Equal(x, want, got)
	}},
	{"grids.cl", "floyd", func(x *Exam) {
		const n = 24
		want := Make(n*n, func(i int) int32 { return int32(x.IntN(1000)) })
		for i := range n {
			want[i*n+i] = 0
		}
		d, got := Out[int32](x, n*n)
		copy(got, want)
		for k := range n {
			x.LaunchGrid(plane(n, n, 8, 8), d, int32(n), int32(k))
			for i := range n {
				for j := range n {
					want[i*n+j] = min(want[i*n+j], want[i*n+k]+want[k*n+j])
				}
			}
		}
		Equal(x, want, got)
	}},
	{"grids.cl", "transpose", func(x *Exam) {
		const w, h = 48, 32
		in := x.Words(w * h)
		out, got := Out[uint32](x, w*h)
		x.LaunchGrid(plane(w, h, 16, 16), In(x, in), out, uint32(w), uint32(h))
		Equal(x, Make(w*h, func(k int) uint32 { return in[k%h*w+k/h] }), got)
	}},
}
