package matrix

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/stretchr/testify/require"
)

// TestSplitSumsAreExact compares sums of products of halves, and a single, with those of big.Float.
func TestSplitSumsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	half := func() float64 {
		for {
			x := uint16(r.Uint32())
			switch r.IntN(4) {
			case 0:
				x &= 0x83ff // denormal
			case 1:
				x |= 0x7800 // large
			}
			if v := float64(alu.HalfTo32(x)); !math.IsInf(v, 0) && v == v && v != 0 {
				return v
			}
		}
	}
	known := 0
	for range 3000 {
		a, b, at := make([]float64, 16), make([]float64, 64*Side), make([]uint8, 16)
		for k := range a {
			a[k], at[k] = half(), uint8(r.IntN(64))
			for j := range Side {
				b[int(at[k])*Side+j] = half()
			}
		}
		if r.IntN(2) == 0 { // the large ones cancel
			for k := 0; k < 14; k += 2 {
				a[k+1], at[k+1] = -a[k], at[k]
			}
		}
		var high, low, portableHigh, portableLow [Side]float64
		alu.SplitProducts(&high, &low, a, b, at)
		alu.PortableSplitProducts(&portableHigh, &portableLow, a, b, at)
		require.Equal(t, portableHigh, high)
		require.Equal(t, portableLow, low)
		for j := range Side {
			c := float64(math.Float32frombits(r.Uint32()&0x80000000 | uint32(r.IntN(254)+1)<<23 | r.Uint32()&(1<<23-1)))
			whole := new(big.Float).SetPrec(4000).SetFloat64(c)
			for k := range a {
				whole.Add(whole, new(big.Float).SetFloat64(a[k]*b[int(at[k])*Side+j]))
			}
			got, ok := AddSplit(high[j], low[j], c)
			if !ok {
				continue
			}
			known++
			want, _ := whole.Float32()
			require.Equal(t, math.Float32bits(want), math.Float32bits(float32(got)), "c %g", c)
			require.Equal(t, halfOfBig(whole), uint16(alu.HalfFrom64(got)))
		}
	}
	require.Greater(t, known, 40_000)
	_, ok := AddSplit(math.Inf(1), math.NaN(), 1)
	require.False(t, ok)
	_, ok = AddSplit(0, math.Copysign(0, -1), math.Copysign(0, -1))
	require.False(t, ok, "zeros have signs")
	for _, c := range []struct{ high, low, c, want float64 }{
		{1, -1, 0, 0}, {1, 1, -2, 0}, {0, 0, 0, 0}, {0x1p60, 1, -0x1p60, 1}, {-0x1p60, -1, 0x1p60, -1},
	} {
		got, ok := AddSplit(c.high, c.low, c.c)
		require.True(t, ok)
		require.Equal(t, math.Float64bits(c.want), math.Float64bits(got), "%v", c)
	}
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
