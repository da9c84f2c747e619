package matrix

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// bigSum is the sum by another way: of big floats, cut to 53 bits, the last of which is set where something was cut.
func bigSum(terms []float64) float64 {
	whole := new(big.Float).SetPrec(4096)
	for _, x := range terms {
		whole.Add(whole, new(big.Float).SetFloat64(x))
	}
	short := new(big.Float).SetPrec(53).SetMode(big.ToZero).Set(whole)
	sum, _ := short.Float64()
	if short.Acc() != big.Exact {
		sum = math.Float64frombits(math.Float64bits(sum) | 1)
	}
	return sum
}

// TestWideSumsAreExact: of terms near each other and far apart, that cancel, denormal ones and the largest.
func TestWideSumsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200_000 {
		terms := make([]float64, 1+r.IntN(40))
		width, middle := []int{0, 1, 30, 60, 200, 1000}[n%6], r.IntN(2000)
		for k := range terms {
			exponent := min(max(middle+r.IntN(2*width+1)-width, 0), 2000)
			mantissa := r.Uint64() & (1<<52 - 1)
			if r.IntN(2) == 0 { // short ones cancel more often
				mantissa &^= 1<<48 - 1
			}
			terms[k] = math.Float64frombits(uint64(exponent)<<52 | mantissa | r.Uint64()<<63)
			if k > 0 && r.IntN(4) == 0 {
				terms[k] = -terms[r.IntN(k)]
			}
			if r.IntN(10) == 0 {
				terms[k] = 0
			}
		}
		var s wideSum
		for _, x := range terms {
			s.add(x)
		}
		if got, want := s.round(), bigSum(terms); got != want || math.Signbit(got) != math.Signbit(want) {
			require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%v", terms)
		}
		if got, want := SumExact(terms), bigSum(terms); math.Float32bits(float32(got)) != math.Float32bits(float32(want)) && got != 0 {
			require.Equal(t, want, got, "%v", terms)
		}
	}
}

func TestWideSumsOfFew(t *testing.T) {
	for _, terms := range [][]float64{
		{0}, {1, -1}, {math.SmallestNonzeroFloat64}, {-math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64}, {math.MaxFloat64, 1, -math.MaxFloat64},
		{1, 0x1p-900, -1}, {0x1p900, -0x1p-900}, {-0x1p900, 0x1p-900}, {0x1p1000, 0x1p947, 0x1p-1074},
	} {
		var s wideSum
		for _, x := range terms {
			s.add(x)
		}
		require.Equal(t, bigSum(terms), s.round(), "%v", terms)
	}
}
