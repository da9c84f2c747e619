package matrix

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/stretchr/testify/require"
)

// TestSumsOfRowsAreExact compares sums of products of halves, and of bfloats, with those of big.Float, in assembly and
// without.
func TestSumsOfRowsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 3000 {
		split := n%2 == 0
		finite := func() float64 {
			for {
				x := r.Uint32()
				switch r.IntN(4) {
				case 0:
					x &^= 0x7c000000 // denormal, or small
				case 1:
					x |= 0x78000000 // large
				}
				v := float64(alu.Float(x &^ 0xffff))
				if split {
					v = float64(alu.HalfTo32(uint16(x >> 16)))
				}
				if v-v == 0 && v != 0 {
					return v
				}
			}
		}
		a, b, at := make([]float64, 16), make([]float64, 64*Side), make([]uint8, 16)
		for k := range a {
			a[k], at[k] = finite(), uint8(r.IntN(64))
			for j := range Side {
				b[int(at[k])*Side+j] = finite()
			}
		}
		if r.IntN(2) == 0 { // the large ones cancel
			for k := 0; k < 14; k += 2 {
				a[k+1], at[k+1] = -a[k], at[k]
			}
		}
		var c [Side]uint32
		for j := range c {
			c[j] = math.Float32bits(1) // of a number by which most are small
			if r.IntN(4) != 0 {
				c[j] = r.Uint32()&0x80000000 | uint32(r.IntN(254)+1)<<23 | r.Uint32()&(1<<23-1)
			}
		}
		nearest, odd := rowInBothWays(t, &c, a, b, at, split, false), rowInBothWays(t, &c, a, b, at, split, true)
		for j := range Side {
			whole := new(big.Float).SetPrec(4000).SetFloat64(float64(alu.Float(c[j])))
			for k := range a {
				whole.Add(whole, new(big.Float).SetFloat64(a[k]*b[int(at[k])*Side+j]))
			}
			want, _ := whole.Float32()
			require.Equal(t, Flushed(math.Float32bits(want)), nearest[j], "c %#x", c[j])
			require.Equal(t, halfOfBig(whole), alu.HalfFrom64(float64(alu.Float(odd[j]))))
			require.Equal(t, bfloatOfBig(whole), alu.Bfloat16.Round(float64(alu.Float(odd[j])), alu.SmallRounding{}))
		}
	}
}

// rowInBothWays adds a row to c with the processor's kernels, and with the portable ones.
func rowInBothWays(t *testing.T, c *[Side]uint32, a, b []float64, at []uint8, split, odd bool) [Side]uint32 {
	var m, portable MatrixTemp
	d, want := *c, *c
	m.AddRow(&d, a, b, at, split, odd)
	portable.addRow(&rowKernels{alu.PortableSplitProducts, alu.PortableAddSplit, alu.PortableAddProducts,
		[2]alu.SinglesKernel{alu.PortableNearestSingles, alu.PortableOddSingles}}, &want, a, b, at, split, odd)
	require.Equal(t, want, d)
	return d
}

// TestSumsOfRowsOfExtremes has zeros of both signs, infinities, NaNs, sums that cancel, and results next to where
// formats end.
func TestSumsOfRowsOfExtremes(t *testing.T) {
	const inf, nan = 0x7f800000, 0x7fc00000
	negativeZero := math.Copysign(0, -1)
	for _, x := range []struct {
		p, q  float64
		c     uint32
		want  uint32
		short uint32 // rounded to odd
	}{
		{negativeZero, negativeZero, 1 << 31, 1 << 31, 1 << 31},
		{negativeZero, 0, 1 << 31, 0, 0},
		{negativeZero, negativeZero, 0, 0, 0},
		{1, -1, 1 << 31, 0, 0},
		{1, 1, 0xc0000000, 0, 0},
		{math.Inf(1), 1, 0x3f800000, inf, inf},
		{math.Inf(-1), 1, 0x3f800000, inf | 1<<31, inf | 1<<31},
		{math.Inf(1), math.Inf(-1), 0, nan, nan},
		{1, 2, inf, inf, inf},
		{math.Inf(-1), 2, inf, nan, nan},
		{1, math.NaN(), 0, nan, nan},
		{1, 1, 0xffc12345, nan, nan},
		{0x1p-24 * 0x1p-24, -0x1p15, 0x47000000, 0x27800000, 0x27800000},
		{0x1p-24 * 0x1p-24, 0, 0x3f800000, 0x3f800000, 0x3f800001},
		{-0x1p-24 * 0x1p-24, 0, 0x3f800000, 0x3f800000, 0x3f7fffff},
	} {
		for _, split := range []bool{true, false} {
			a, b, at := []float64{1, 1}, make([]float64, 2*Side), []uint8{0, 1}
			var c [Side]uint32
			for j := range Side {
				b[j], b[Side+j], c[j] = x.p, x.q, x.c
			}
			require.Equal(t, x.want, rowInBothWays(t, &c, a, b, at, split, false)[5], "%v", x)
			require.Equal(t, x.short, rowInBothWays(t, &c, a, b, at, split, true)[15], "%v", x)
		}
	}
	for _, x := range []struct {
		sum, nearest, odd uint64
	}{
		{0x3810000000000000, 0x00800000, 0x00800000}, // the least normal single
		{0x380fffffffffffff, 0x00800000, 0x00800000},
		{0x380fffffe0000000, 0x00800000, 0x00800000}, // between that and the greatest denormal
		{0x380fffffdfffffff, 0, 0x00800000},
		{0x380fe00000000000, 0, 0x00800000}, // such of bfloats
		{0xb80fdfffffffffff, 1 << 31, 1 << 31},
		{1, 0, 0},
		{0x47efffffe0000000, 0x7f7fffff, 0x7f7fffff}, // the greatest single
		{0x47efffffefffffff, 0x7f7fffff, 0x7f7fffff},
		{0x47effffff0000000, 0x7f800000, 0x7f7fffff},
		{0xc7f0000000000000, 0xff800000, 0xff800000},
		{0x3ff0000000000001, 0x3f800000, 0x3f800001},
		{0xfff0000000000001, 0x7fc00000, 0x7fc00000},
	} {
		var sum [Side]float64
		for j := range sum {
			sum[j] = math.Float64frombits(x.sum)
		}
		for n, kernel := range []alu.SinglesKernel{alu.NearestSingles, alu.PortableNearestSingles, alu.OddSingles, alu.PortableOddSingles} {
			var d [Side]uint32
			kernel(&d, &sum)
			require.Equal(t, uint32([]uint64{x.nearest, x.odd}[n/2]), d[3], "%#x, %d", x.sum, n)
		}
	}
}

// bfloatOfBig is the bfloat next to a number; denormals are zeros.
func bfloatOfBig(x *big.Float) uint32 {
	v, _ := new(big.Float).SetPrec(8).SetMode(big.ToNearestEven).Set(x).Float32()
	if exact, _ := x.Float64(); math.Abs(exact) < 0x1p-126-0x1p-134 {
		v = float32(math.Copysign(0, exact))
	} else if math.Abs(exact) < 0x1p-126 {
		v = float32(math.Copysign(0x1p-126, exact))
	}
	return math.Float32bits(v) >> 16
}

// halfOfBig finds the nearest half by its neighbours.
func halfOfBig(x *big.Float) uint16 {
	sign := uint16(0)
	if x.Sign() < 0 {
		sign = 0x8000
	}
	abs := new(big.Float).Abs(x)
	if abs.Cmp(big.NewFloat(65520)) >= 0 {
		return sign | 0x7c00
	}
	low, high := uint16(0), uint16(0x7c00)
	for low+1 < high {
		if mid := (low + high) / 2; abs.Cmp(big.NewFloat(float64(alu.HalfTo32(mid)))) >= 0 {
			low = mid
		} else {
			high = mid
		}
	}
	next := 65536.0
	if low < 0x7bff {
		next = float64(alu.HalfTo32(low + 1))
	}
	switch abs.Cmp(big.NewFloat((float64(alu.HalfTo32(low)) + next) / 2)) {
	case 1:
		low++
	case 0:
		low += low & 1
	}
	return sign | low
}
