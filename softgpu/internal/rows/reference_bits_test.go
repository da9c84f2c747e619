package rows

import (
	"math"
	"math/big"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// sourcesOf gives integer instructions the right number of sources.
func sourcesOf(name, in string) string {
	for n := range rowsVOP3() {
		if rowsVOP3()[n].Name == name {
			count := 0
			for _, s := range rowsVOP3()[n].Form.Src {
				if s.Class != encoding.NoSlot {
					count++
				}
			}
			return "iii"[:count]
		}
	}
	for n := range rowsVOP1() {
		if rowsVOP1()[n].Name == name {
			return "i"
		}
	}
	return in
}

func onesOf(a uint64) (at []int) {
	for n := 0; n < 32; n++ {
		if a>>n&1 != 0 {
			at = append(at, n)
		}
	}
	return at
}

func firstOf(a uint64, place func(n int) int) uint64 {
	for n := 0; n < 32; n++ {
		if a>>place(n)&1 != 0 {
			return uint64(n)
		}
	}
	return math.MaxUint32
}

func refPerm(a, b, c uint64) (r uint64) {
	bytes := make([]uint64, 8)
	for n := 0; n < 4; n++ {
		bytes[n], bytes[n+4] = b>>(8*n)&255, a>>(8*n)&255
	}
	for n := 0; n < 4; n++ {
		sel := c >> (8 * n) & 255
		v := uint64(255)
		switch {
		case sel <= 7:
			v = bytes[sel]
		case sel == 12:
			v = 0
		case sel <= 11 && bytes[2*(sel-8)+1] < 128:
			v = 0
		}
		r |= v << (8 * n)
	}
	return r
}

func refSad(a, b, c uint64) uint64 {
	for n := 0; n < 32; n += 8 {
		c += uint64(math.Abs(float64(a>>n&255) - float64(b>>n&255)))
	}
	return c
}

// refTrigPreop takes its bits from 2/pi computed by Machin's formula.
func refTrigPreop(a, b, _ uint64) uint64 {
	shift := int(b&31) * 53
	e := int(a >> 52 & 0x7ff)
	if e > 1077 {
		shift += e - 1077
	}
	if shift > 1201 {
		return 0
	}
	m := new(big.Int).Rsh(twoOverPiBits(), uint(1280-1201)) // 1201 bits
	m.Lsh(m, uint(shift))
	m.And(m, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 1201), big.NewInt(1)))
	m.Rsh(m, 1201-53)
	scale := -53 - shift
	if e >= 1968 {
		scale += 128
	}
	return round64(new(big.Float).SetMantExp(new(big.Float).SetInt(m), scale), 0)
}

var twoOverPiCache *big.Int

func twoOverPiBits() *big.Int {
	if twoOverPiCache != nil {
		return twoOverPiCache
	}
	one := new(big.Int).Lsh(big.NewInt(1), 1400)
	arctan := func(x int64) *big.Int {
		sum, term := new(big.Int), new(big.Int).Quo(one, big.NewInt(x))
		for n := int64(1); term.Sign() != 0; n += 2 {
			part := new(big.Int).Quo(term, big.NewInt(n))
			if n%4 == 3 {
				part.Neg(part)
			}
			sum.Add(sum, part)
			term.Quo(term, big.NewInt(x*x))
		}
		return sum
	}
	pi := new(big.Int).Mul(big.NewInt(4), arctan(5))
	pi.Sub(pi, arctan(239)).Mul(pi, big.NewInt(4))
	two := new(big.Int).Lsh(big.NewInt(2), 1400+1280)
	twoOverPiCache = two.Quo(two, pi)
	return twoOverPiCache
}
