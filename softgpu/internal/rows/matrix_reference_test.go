package rows

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/matrix"
)

// The second implementation of matrix instructions: one entry at a time, from
// matrices, in floating point.

// entry is entry i, j of a block of the result.
func (c *matrixCase) entry(block, i, j int) uint64 {
	s := c.s
	depth := s.K
	if s.Sparse {
		depth /= 2
	}
	blockA := block>>c.cbsz<<c.cbsz + c.abid
	if s.Sparse || c.mixed {
		blockA = block
	}
	a := func(k int) uint64 { return c.a(blockA, i, k) }
	b := func(k int) uint64 {
		if s.Sparse {
			k = k/2*4 + c.index(i, k)
		}
		return c.columnOf(block, k, j)
	}
	third := c.c(block, i, j)
	switch {
	case s.A == matrix.EntryI8:
		sum := int32(third)
		for k := range depth {
			sum += int32(int8(a(k))) * int32(int8(b(k)))
		}
		return uint64(uint32(sum))
	case s.A == matrix.EntryF64:
		x, y := func(k int) uint64 { return a(k) ^ uint64(c.blgp&1)<<63 }, func(k int) uint64 { return c.b(block, k, j) ^ uint64(c.blgp>>1&1)<<63 }
		sum := third ^ uint64(c.blgp>>2&1)<<63
		for k := range depth {
			sum = refFMA64(x(k), y(k), sum)
		}
		return sum
	case s.A == matrix.EntryF32:
		for k := range depth {
			third = refFMA32(a(k), b(k), third)
		}
		return third
	}
	var x, y []float64
	for k := range depth {
		x, y = append(x, refEntry(s.A, a(k))), append(y, refEntry(s.B, b(k)))
	}
	if c.mixed {
		return uint64(math.Float32bits(refMixed(c, i, j, x, y, alu.Float(uint32(third)))))
	}
	if c.chip.AtLeast(encoding.Gfx942) {
		return uint64(math.Float32bits(refFused(s.A, s.B, x, y, alu.Float(uint32(third)))))
	}
	return uint64(math.Float32bits(refPairwise(c, x, y, alu.Float(uint32(third)))))
}

// columnOf reads B by the lane that BLGP names instead of the own one.
func (c *matrixCase) columnOf(block, k, j int) uint64 {
	s := c.s
	_, lane, _ := where(s.N, s.K, s.Blocks, s.B.Bits(), block, j, k)
	if c.mixed || c.blgp == 0 {
		return c.b(block, k, j)
	}
	groups := [8][4]int{{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}, {1, 2, 3, 0}, {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}
	lane = groups[c.blgp][lane/16]*16 + lane%16
	inOneLane := s.N * s.Blocks * s.K / 64
	column := lane % (s.N * s.Blocks)
	return c.b(column/s.N, lane/(s.N*s.Blocks)*inOneLane+k%inOneLane, column%s.N)
}

// refEntry is the value of an entry by the definition of its format.
func refEntry(e matrix.Entry, x uint64) float64 {
	value := func(fraction, exponent uint, bias int, infinities bool) float64 {
		m, top := float64(x&(1<<fraction-1)), uint64(1)<<exponent-1
		at := x >> fraction & top
		sign := 1 - 2*float64(x>>(fraction+exponent)&1)
		switch {
		case infinities && at == top && m == 0:
			return sign * math.Inf(1)
		case infinities && at == top:
			return math.NaN()
		case at == 0:
			return sign * m * math.Pow(2, float64(1-bias-int(fraction)))
		}
		return sign * (m + math.Pow(2, float64(fraction))) * math.Pow(2, float64(int(at)-bias-int(fraction)))
	}
	switch e {
	case matrix.EntryF16:
		return value(10, 5, 15, true)
	case matrix.EntryBF16:
		return value(7, 8, 127, true)
	case matrix.EntryXF32:
		x >>= 13
		return value(10, 8, 127, true)
	}
	// The OCP's formats, from their bit layouts.
	switch e {
	case matrix.EntryE4M3:
		if x&0x7f == 0x7f {
			return math.NaN()
		}
		return value(3, 4, 7, false)
	case matrix.EntryE5M2:
		return value(2, 5, 15, true)
	case matrix.EntryE2M3:
		return value(3, 2, 1, false)
	case matrix.EntryE3M2:
		return value(2, 3, 3, false)
	case matrix.EntryE2M1:
		return value(1, 2, 1, false)
	}
	if x == 0x80 {
		return math.NaN()
	}
	if e == matrix.EntryFP8 {
		return value(3, 4, 8, false)
	}
	return value(2, 5, 16, false)
}

// refPairwise is the sum of gfx908 and gfx90a.
func refPairwise(c *matrixCase, a, b []float64, third float32) float32 {
	least := map[matrix.Entry]float64{matrix.EntryF16: 0x1p-14, matrix.EntryBF16: 0x1p-126}[c.s.A]
	flushBelow := func(x float32, sign bool, least float64) float32 {
		if c.chip != encoding.Gfx90a || math.Abs(float64(x)) >= least || x != x {
			return x
		}
		if sign {
			return x * 0
		}
		return 0
	}
	flush := func(x float32, sign bool) float32 { return flushBelow(x, sign, 0x1p-126) }
	inOneLane := c.s.M * c.s.K * c.s.Blocks / 64
	third = flush(third, false)
	for at := 0; at < len(a); at += inOneLane {
		var p []float32
		for k := at; k < at+inOneLane; k++ {
			x, y := flushBelow(float32(a[k]), false, least), flushBelow(float32(b[k]), false, least)
			p = append(p, flush(float32(float64(x)*float64(y)+0), true))
		}
		for len(p) > 1 {
			var next []float32
			for n := 0; n < len(p); n += 2 {
				next = append(next, flush(p[n]+p[n+1], true))
			}
			p = next
		}
		third = flush(third+p[0], true)
	}
	return third
}

// refFused is the sum of gfx942, in floating point with Floor and Trunc.
func refFused(ta, tb matrix.Entry, a, b []float64, third float32) float32 {
	group, split := 8, ta == matrix.EntryFP8 || ta == matrix.EntryBF8 || ta == matrix.EntryE4M3 || ta == matrix.EntryE5M2
	if split {
		group = 16
	}
	if ta == matrix.EntryXF32 {
		group = 4
	}
	group = min(group, len(a))
	for at := 0; at < len(a); at += group {
		third = refFusedGroup(ta, tb, a[at:at+group], b[at:at+group], float64(third), split, 0)
	}
	return third
}

// refMixed adds blocks of 32, with the scales of row i and column j.
func refMixed(c *matrixCase, i, j int, a, b []float64, third float32) float32 {
	for n := range len(a) / 32 {
		scale := 0
		if c.scales[0] != nil {
			x, y := c.scales[0](i, n), c.scales[1](j, n)
			if x == 0xff || y == 0xff {
				third = float32(math.NaN())
			}
			scale = int(x) - 127 + int(y) - 127
		}
		third = refFusedGroup(c.s.A, c.s.B, a[32*n:][:32], b[32*n:][:32], float64(third), false, scale)
	}
	return third
}

// refParts returns fraction and exponent of x; least is the format's smallest exponent.
func refParts(x float64, least int) (float64, int) {
	if x == 0 {
		return 0, -126
	}
	e := max(math.Ilogb(x), least)
	return math.Ldexp(x, -e), e
}

func refFusedGroup(ta, tb matrix.Entry, a, b []float64, third float64, split bool, scale int) float32 {
	plain := third
	posInf, negInf := false, false
	least := map[matrix.Entry]int{matrix.EntryF16: -14, matrix.EntryBF16: -126, matrix.EntryXF32: -126, matrix.EntryFP8: -7, matrix.EntryBF8: -15,
		matrix.EntryE4M3: -6, matrix.EntryE5M2: -14, matrix.EntryE2M3: 0, matrix.EntryE3M2: -2, matrix.EntryE2M1: 0}
	type part struct {
		f float64
		e int
	}
	var parts []part
	for k := range a {
		plain += a[k] * b[k]
		posInf = posInf || a[k]*b[k] >= 0x1p128
		negInf = negInf || a[k]*b[k] <= -0x1p128
		fa, ea := refParts(a[k], least[ta])
		fb, eb := refParts(b[k], least[tb])
		parts = append(parts, part{fa * fb, ea + eb})
	}
	switch {
	case math.IsNaN(plain), math.IsInf(plain, 0):
		return float32(plain)
	case posInf && negInf:
		return float32(math.NaN())
	case posInf:
		return float32(math.Inf(1))
	case negInf:
		return float32(math.Inf(-1))
	}
	align := func(x float64, fraction, down int, cut func(float64) float64) float64 {
		return math.Ldexp(cut(math.Ldexp(x, fraction-down)), -fraction)
	}
	total := func(parts []part, cut func(float64) float64) part {
		top := parts[0].e
		for _, p := range parts {
			top = max(top, p.e)
		}
		sum := 0.0
		for _, p := range parts {
			sum += align(p.f, 24, top-p.e, cut)
		}
		return part{sum, top}
	}
	sum := part{}
	if split {
		var even, odd []part
		for k := 0; k < len(parts); k += 2 {
			even, odd = append(even, parts[k]), append(odd, parts[k+1])
		}
		sum = total([]part{total(even, math.Trunc), total(odd, math.Trunc)}, math.Floor)
	} else {
		sum = total(parts, math.Trunc)
	}
	sum.e += scale
	fc, ec := refParts(third, -126)
	top := max(sum.e, ec)
	s := align(sum.f, 31, top-sum.e, math.Floor)
	if !split || ec >= top-25 {
		s += align(fc, 24, top-ec, math.Floor)
	}
	return float32(math.Ldexp(s, top))
}
