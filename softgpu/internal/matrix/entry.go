package matrix

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// fields is one entry of each lane: bits that may start in one register and end in the next.
type fields struct {
	low, high *alu.Lanes
	at        uint
}

// FieldsOf finds field n of the lanes' entries.
func FieldsOf(regs []alu.Lanes, n int, bits uint) fields {
	at := uint(n) * bits
	x := fields{&regs[at/32], &alu.Zeros, at % 32}
	if at%32+bits > 32 {
		x.high = &regs[at/32+1]
	}
	return x
}

// Of returns the field of a lane.
func (x *fields) Of(l uint8) uint32 {
	return x.low[l&63]>>(x.at&31) | x.high[l&63]<<(32-x.at&63)
}

// EveryLane are the lanes, in order.
var EveryLane = func() (all [64]uint8) {
	for l := range all {
		all[l] = uint8(l)
	}
	return all
}()

// LoadEntries puts entries in the order of columns of A, or rows of B.
func LoadEntries(to *[2048]uint32, regs []alu.Lanes, e Entry, y *LanePlaces, per int, from *[64]uint8) {
	if e == EntryF32 && y.inOrder && from == &EveryLane {
		for n := range per {
			copy(to[y.Column(n)*y.rows:], regs[n][:])
		}
		return
	}
	for n := range per {
		x, first := FieldsOf(regs, n, uint(e.Bits())), y.Column(n)*y.rows
		switch places := &y.places; e {
		case EntryF32:
			for l, lane := range from {
				to[(first+places[l])&2047] = x.Of(lane)
			}
		case EntryBF16:
			for l, lane := range from {
				to[(first+places[l])&2047] = x.Of(lane) << 16
			}
		case EntryI8:
			for l, lane := range from {
				to[(first+places[l])&2047] = uint32(int8(x.Of(lane)))
			}
		default:
			for l, lane := range from {
				to[(first+places[l])&2047] = e.single(x.Of(lane))
			}
		}
	}
}

// LanePlaces are where entries of each lane go, in the order of columns of A or rows of B.
type LanePlaces struct {
	layout
	places  [64]int
	inOrder bool // those of one register follow each other
}

// LanePlacesOf is where the lanes of a wave are, for ops.
func LanePlacesOf(rows, per, bits int) *LanePlaces {
	y := &LanePlaces{layout: LayoutOf(rows, per, bits), inOrder: true}
	for l := range y.places {
		y.places[l] = y.OfLane(l)*rows + l%rows
		y.inOrder = y.inOrder && y.places[l] == l
	}
	return y
}

// single is the entry in the low bits of x as a single, or as an integer.
func (e Entry) single(x uint32) uint32 {
	switch e {
	case EntryF16:
		return math.Float32bits(alu.HalfTo32(uint16(x)))
	case EntryBF16:
		return x << 16
	case EntryI8:
		return uint32(int8(x))
	case EntryXF32:
		return x &^ 0x1fff
	case EntryFP8, EntryBF8, EntryE4M3, EntryE5M2, EntryE2M3, EntryE3M2, EntryE2M1:
		return math.Float32bits(e.small(x))
	}
	return x
}

// Ocp returns the format that instructions from gfx950 on mean by the name of
// one of gfx942's: the OCP's, with the bias of IEEE's formats.
func (e Entry) Ocp() Entry {
	switch e {
	case EntryFP8:
		return EntryE4M3
	case EntryBF8:
		return EntryE5M2
	}
	return e
}

// small is the value of a number of 8 bits or less. gfx942's have an exponent of
// 4 or 5 bits with a bias one above IEEE's, one NaN, in the place of -0, and no
// infinity. Of the OCP's formats E5M2 is like IEEE's, E4M3 has NaNs, where all
// bits after the sign are set, and no infinities, and those of 6 and 4 bits have
// neither (OCP 8-bit Floating Point Specification 1.0, table 1; OCP Microscaling
// Formats Specification 1.0, 5.3).
func (e Entry) small(x uint32) float32 {
	if e.Special(x) {
		if e == EntryE5M2 && x&3 == 0 {
			return float32(math.Inf(1 - int(x>>7&1)*2))
		}
		return math.Float32frombits(0x7fc00000)
	}
	s := e.scaled(x)
	return float32(s.Factor(e.fraction()).value)
}

// scaled is sig * 2^exp, sig with the entry's number of fractional bits.
type scaled struct{ sig, exp int32 }

// Factor is a number, and the exponent that it counts with.
type Factor struct {
	value float64
	exp   int
}

// Factor returns the number as a factor.
func (x scaled) Factor(fraction uint) Factor {
	return Factor{float64(x.sig) * powerOf2(int(x.exp)-int(fraction)), int(x.exp)}
}

// Formats of entries: bits of the fraction, and the bias of the exponent.
func (e Entry) fraction() uint {
	return [...]uint{EntryF32: 23, EntryXF32: 10, EntryF16: 10, EntryBF16: 7, EntryFP8: 3, EntryBF8: 2,
		EntryE4M3: 3, EntryE5M2: 2, EntryE2M3: 3, EntryE3M2: 2, EntryE2M1: 1}[e]
}

func (e Entry) bias() int32 {
	return [...]int32{EntryF32: 127, EntryXF32: 127, EntryF16: 15, EntryBF16: 127, EntryFP8: 8, EntryBF8: 16,
		EntryE4M3: 7, EntryE5M2: 15, EntryE2M3: 1, EntryE3M2: 3, EntryE2M1: 1}[e]
}

// zeroExponent is the exponent that a zero counts with.
const zeroExponent = -126

// parts tells how to take numbers of a format apart.
type parts struct {
	unused, Fraction, sign uint // bits: below the number, of its fraction, and below its sign
	exponents              uint32
	bias                   int32
}

// Parts tells how to take numbers of the format apart.
func (e Entry) Parts() parts {
	size, unused := uint(e.Bits()), uint(0)
	if e == EntryXF32 {
		size, unused = 19, 13
	}
	return parts{unused, e.fraction(), size - 1, 1<<(size-1-e.fraction()) - 1, e.bias()}
}

// Of takes the finite number in the low bits of x apart.
func (p *parts) Of(x uint32) scaled {
	f := p.Fraction & 31
	x >>= p.unused & 31
	sig, exp := int32(x&(1<<f-1)), x>>f&p.exponents
	sign := -int32(x >> (p.sign & 31) & 1)
	switch {
	case exp != 0:
		sig |= 1 << f
	case sig == 0:
		return scaled{0, zeroExponent}
	default:
		exp = 1
	}
	return scaled{sig ^ sign - sign, int32(exp) - p.bias}
}

// scaled takes the finite number in the low bits of x apart.
func (e Entry) scaled(x uint32) scaled {
	p := e.Parts()
	return p.Of(x)
}

// Special reports whether the low bits of x are an infinity or NaN.
func (e Entry) Special(x uint32) bool {
	switch e {
	case EntryF16:
		return x&0x7c00 == 0x7c00
	case EntryBF16:
		return x&0x7f80 == 0x7f80
	case EntryFP8, EntryBF8:
		return x&0xff == 0x80
	case EntryE4M3:
		return x&0x7f == 0x7f
	case EntryE5M2:
		return x&0x7c == 0x7c
	case EntryE2M3, EntryE3M2, EntryE2M1:
		return false
	}
	return x&0x7f800000 == 0x7f800000
}

// SmallParts are the numbers of at most eight bits, taken apart.
var SmallParts = func() (all [EntryE2M1 + 1]*[256]Factor) {
	for e := range all {
		if e := Entry(e); e.fraction() != 0 && e.Bits() <= 8 {
			all[e] = new([256]Factor)
			for x := range all[e] {
				all[e][x] = e.scaled(uint32(x)).Factor(e.fraction())
			}
		}
	}
	return all
}()

// Numbers are the values of a format of at most eight bits, by their bits.
func (e Entry) Numbers() *[256]float64 {
	var all [256]float64
	for x := range all {
		all[x] = float64(e.small(uint32(x) & (1<<e.Bits() - 1)))
	}
	return &all
}
