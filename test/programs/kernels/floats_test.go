package kernels

import "math"

// half is the float16 nearest to f, ties to even.
func half(f float32) uint16 {
	b := math.Float32bits(f)
	sign, b := uint16(b>>16&0x8000), b&0x7fffffff
	switch {
	case b > 0x7f800000:
		return sign | 0x7e00
	case b >= 0x477ff000:
		return sign | 0x7c00
	case b < 0x38800000: // a multiple of 2^-24
		return sign | uint16(math.RoundToEven(float64(math.Float32frombits(b))*(1<<24)))
	}
	return sign | uint16((b-0x38000000+0xfff+b>>13&1)>>13)
}

// single is the value of a float16.
func single(h uint16) float32 {
	sign := float32(1 - 2*int(h>>15))
	exponent, mantissa := int(h>>10&31), float64(h&0x3ff)
	switch exponent {
	case 0:
		return sign * float32(math.Ldexp(mantissa, -24))
	case 31:
		if mantissa != 0 {
			return float32(math.NaN())
		}
		return sign * float32(math.Inf(1))
	}
	return sign * float32(math.Ldexp(1024+mantissa, exponent-25))
}

func (x *Exam) halves(n int) []uint16 {
	return Make(n, func(int) uint16 { return half(float32(x.NormFloat64() * math.Exp2(float64(x.IntN(12)-6)))) })
}

func singles(h []uint16) []float32 { return Make(len(h), func(i int) float32 { return single(h[i]) }) }

func root32(f float32) float32 { return float32(math.Sqrt(float64(f))) }

var floats = []Row{
	{"floats.cl", "double_basics", func(x *Exam) {
		a, b := x.Doubles(128, -1e6, 1e6), x.Doubles(128, -100, 100)
		a[0], a[1], a[2], b[3] = 0, math.Inf(1), 5e-324, math.Inf(-1)
		out, got := Out[float64](x, 1280)
		x.Launch(2, 64, In(x, a), In(x, b), out)
		var want []float64
		for i := range a {
			u, v := a[i], b[i]
			want = append(want, u+v, u*v, u/v, math.Sqrt(math.Abs(u)), math.FMA(u, v, 1), math.Floor(u), math.RoundToEven(v),
				math.Trunc(u)-math.Ceil(v), math.Mod(u, v), math.Ldexp(u, i%40-20))
		}
		Equal(x, want, got)
	}},
	{"floats.cl", "double_functions", func(x *Exam) {
		a := x.Doubles(64, -8, 8)
		out, got := Out[float64](x, 640)
		x.Launch(1, 64, In(x, a), out)
		var want []float64
		for _, v := range a {
			want = append(want, math.Exp(v), math.Sin(v), math.Cos(100*v), math.Log(math.Abs(v)+0.5), math.Pow(math.Abs(v)+0.1, 1.7),
				math.Atan2(v, 0.3), math.Tanh(v), math.Erf(v), math.Cbrt(v), math.Gamma(math.Abs(v)+1))
		}
		Near(x, 1e-13, 0.1, want, got)
	}},
	{"floats.cl", "float_basics", func(x *Exam) {
		a, b := x.Singles(192, -1000, 1000), x.Singles(192, -3, 3)
		a[0], a[1], b[2] = 0, 1e-45, float32(math.Inf(1))
		out, got := Out[float32](x, 1920)
		x.Launch(3, 64, In(x, a), In(x, b), out)
		var want []float32
		for i := range a {
			u, v := a[i], b[i]
			exact := float64(u)*float64(v) - float64(u) // 48 bits and a few more: exact
			want = append(want, u-v, u*v, u/v, root32(float32(math.Abs(float64(u)))), float32(exact), max(u, v)-min(u, v),
				float32(math.Copysign(float64(u), float64(v))), float32(math.Round(float64(u))), float32(math.Remainder(float64(u), float64(v))), math.Nextafter32(u, v))
		}
		Equal(x, want, got)
	}},
	{"floats.cl", "float_functions", func(x *Exam) {
		a := x.Singles(128, -8, 8)
		out, got := Out[float32](x, 1024)
		x.Launch(2, 64, In(x, a), out)
		var want []float32
		for _, f := range a {
			v := float64(f)
			for _, w := range []float64{math.Exp(v), math.Sin(v), math.Cos(float64(1000 * f)), math.Log2(math.Abs(v) + 0.5), math.Pow(math.Abs(v), float64(float32(0.3))),
				math.Atan(v), 1 / math.Sqrt(math.Abs(v)+1), math.Tan(v / 4)} {
				want = append(want, float32(w))
			}
		}
		Near(x, 1e-6, 0.2, want, got)
	}},
	{"floats.cl", "conversions", func(x *Exam) {
		in := x.Doubles(128, -1e6, 1e6)
		in[0], in[1], in[2], in[3] = 254.5, 1e15, -3e9, 0.5
		out, got := Out[[8]int64](x, 128)
		x.Launch(2, 64, In(x, in), out)
		Equal(x, Make(128, func(i int) [8]int64 {
			v := in[i]
			return [8]int64{int64(v), int64(min(max(v, math.MinInt32), math.MaxInt32)), int64(math.RoundToEven(min(max(v, 0), 255))), int64(math.Abs(v)),
				int64(int32(math.Float32bits(float32(v)))), int64(int16(half(oddly(v)))), int64(math.Float64bits(float64(int64(float64(v * 1e3))))),
				int64(int32(math.Float32bits(float32(uint64(math.Abs(float64(v * 1e4)))))))}
		}), got)
	}},
	{"floats.cl", "half_basics", func(x *Exam) {
		a, b := x.halves(256), x.halves(256)
		a[0], b[1], a[2] = 0x7c00, 0x8000, 1
		out, got := Out[uint16](x, 6*256)
		x.Launch(4, 64, In(x, a), In(x, b), out)
		var want []uint16
		for i := range a {
			u, v := single(a[i]), single(b[i])
			last := -v
			if u > v {
				last = u
			}
			for _, w := range []float32{u + v, u * v, u / v, min(u, v), float32(math.Floor(float64(u))), last} {
				want = append(want, half(w))
			}
		}
		Equal(x, singles(want), singles(got))
	}},
	{"floats.cl", "half_pairs", func(x *Exam) {
		a, b := x.halves(128), x.halves(128)
		out, got := Out[uint16](x, 128)
		wide, gotWide := Out[float32](x, 128)
		x.Launch(1, 64, In(x, a), In(x, b), out, wide)
		sums := Make(128, func(i int) float32 {
			return single(half(single(half(single(a[i])*single(b[i]))) + []float32{0.5, -0.25}[i%2]))
		})
		Equal(x, sums, gotWide)
		Equal(x, Make(128, func(i int) float32 { return single(half(sums[i^1] - single(a[i]&0x7fff))) }), singles(got))
	}},
	{"floats.cl", "half_storage", func(x *Exam) {
		in := x.halves(256)
		out, got := Out[uint16](x, 256)
		sum, gotSum := Out[float32](x, 64)
		x.Launch(1, 64, In(x, in), out, sum)
		Equal(x, Make(256, func(i int) uint16 { return half(single(in[i]) * 3) }), got)
		Equal(x, Make(64, func(i int) float32 {
			return single(in[4*i]) + single(in[4*i+1]) + single(in[4*i+2]) + single(in[4*i+3])
		}), gotSum)
	}},
	{"floats.cl", "compensated_sum", func(x *Exam) {
		const n = 200
		in := x.Singles(64*n, 0, 1000)
		out, got := Out[float32](x, 64)
		x.Launch(1, 64, In(x, in), out, uint32(n))
		Equal(x, Make(64, func(i int) float32 {
			sum, lost := float32(0), float32(0)
			for _, v := range in[i*n : i*n+n] {
				y := v - lost
				next := sum + y
				lost = float32(next-sum) - y
				sum = next
			}
			return sum
		}), got)
	}},
	{"floats.cl", "classes", func(x *Exam) {
		in := Make(192, func(int) float32 { return math.Float32frombits(x.Uint32()) })
		inf := float32(math.Inf(1))
		copy(in, []float32{0, float32(math.Copysign(0, -1)), inf, -inf, float32(math.NaN()), 1e-45, -1e-39, 1, math.MaxFloat32})
		out, got := Out[[3]int32](x, len(in))
		x.Launch(3, 64, In(x, in), out)
		Equal(x, Make(len(in), func(i int) [3]int32 {
			v, b := in[i], math.Float32bits(in[i])
			one := func(c bool, n int) int32 { return map[bool]int32{true: 1 << n}[c] }
			size := b & 0x7fffffff
			class := one(v != v, 0) | one(size == 0x7f800000, 1) | one(size >= 0x00800000 && size < 0x7f800000, 2) | one(b>>31 != 0, 3) | one(v == 0, 4)
			switch {
			case v != v:
				return [3]int32{class}
			case size == 0x7f800000:
				return [3]int32{class, 0, int32(b)}
			}
			m, e := math.Frexp(float64(v))
			return [3]int32{class, int32(e), int32(math.Float32bits(float32(m)))}
		}), got)
	}},
	{"floats.cl", "newton", func(x *Exam) {
		in := x.Doubles(64, 0.1, 50)
		out, got := Out[float64](x, 64)
		steps, n := Out[int32](x, 64)
		x.Launch(1, 64, In(x, in), out, steps)
		wantSteps := make([]int32, 64)
		want := Make(64, func(i int) float64 {
			r := 1.0
			for ; wantSteps[i] < 100; wantSteps[i]++ {
				next := r - (float64(float64(r*r)*r)-in[i])/float64(float64(3*r)*r)
				if next == r {
					break
				}
				r = next
			}
			return r
		})
		Equal(x, want, got)
		Equal(x, wantSteps, n)
	}},
}

// oddly narrows so that a second narrowing rounds as if it were the only one.
func oddly(v float64) float32 {
	f := float32(v)
	if float64(f) == v || v != v {
		return f
	}
	b := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(v) {
		b--
	}
	return math.Float32frombits(b | 1)
}
