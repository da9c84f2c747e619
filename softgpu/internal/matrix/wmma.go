package matrix

import (
	"math"
	"math/bits"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Matrix instructions of RDNA multiply matrices of 16 rows and 16 columns. Where an entry sits is
// what AMD's matrix instruction calculator has for RDNA3 and RDNA4.

// WMMA describes such an instruction: D = A*B + C.
type WMMA struct {
	K       int
	A, B, D Entry // EntryI8 as D stands for integers of 32 bits
	New     bool  // of GFX12.5
	WideC   bool  // C is of singles, and D of bfloats
	Sparse  bool  // of four entries of a row of A two are there; C is D
}

// Side is the number of rows, and of columns; MostDepth that of an entry's products.
const (
	Side      = 16
	MostDepth = 128
)

// Depth is how many products an entry of the result has.
func (s WMMA) Depth() int {
	if s.Sparse {
		return s.K / 2
	}
	return s.K
}

// Integers reports whether entries are integers.
func (s WMMA) Integers() bool { return s.A == EntryI8 || s.A == EntryI4 }

// Registers returns how many registers the two factors and the result take in each of 32 lanes. In
// RDNA3, old, all entries of a row are in one lane, and results of 16 bits are not packed.
func (s WMMA) Registers(old bool) (a, b, d uint8) {
	lanes := 32
	if old {
		lanes = Side
	}
	of := func(k int, e Entry) uint8 { return uint8(max(1, Side*k*e.Bits()/32/lanes)) }
	d = 8
	if !old && (s.D == EntryF16 || s.D == EntryBF16) {
		d = 4
	}
	return of(s.Depth(), s.A), of(s.K, s.B), d
}

// wmmaLanes are the bits of k that choose groups of 16 lanes in RDNA4: which of two, and in waves of 64 which
// two; none: the lower ones have all.
type wmmaLanes struct{ group, pair int }

const none = -1

// lanesOf returns those of A, and with b of B.
func (s WMMA) lanesOf(b bool) wmmaLanes {
	switch bits := s.A.Bits(); {
	case s.New && bits == 32:
		return wmmaLanes{1, none}
	case s.New && bits == 8 && s.Sparse:
		return wmmaLanes{5, none}
	case s.New && bits == 16 && s.Sparse:
		return wmmaLanes{4, none}
	case s.New && bits == 16:
		return wmmaLanes{3, none}
	case s.New:
		return wmmaLanes{4, none}
	case bits == 4 && s.K == 64:
		return wmmaLanes{5, 4}
	case bits == 4 && s.K == 32 && (b || !s.Sparse):
		return wmmaLanes{4, 3}
	case bits == 4 && s.K == 32:
		return wmmaLanes{4, none}
	case bits == 4:
		return wmmaLanes{3, none}
	case bits == 8 && s.Sparse:
		return wmmaLanes{4, 3}
	case bits == 8:
		return wmmaLanes{3, 2}
	case s.Sparse:
		return wmmaLanes{3, 4}
	}
	return wmmaLanes{2, 3}
}

// WMMAPlaces are where the entries of lanes go.
type WMMAPlaces struct {
	A, B   [][]laneRun  // by entry of the lane: to MatrixTemp.Da, and Db
	Copies int          // of B, of which each is for rows of its own
	Row    [8][4]int    // row of the result, by register and group of 16 lanes
	Packed [8][4][2]int // likewise, of results of 16 bits in both halves
	Lanes  int
}

// laneRun is entries of lanes that have a distance, which go to places that have one.
type laneRun struct{ lane, nextLane, to, nextTo, count int }

type placesKey struct {
	s           WMMA
	old, wave32 bool
}

var wmmaPlaces sync.Map

// PlacesOf returns the places of a shape. They are shared, and not to be changed.
func (s WMMA) PlacesOf(old, wave32 bool) *WMMAPlaces {
	key := placesKey{s, old, wave32}
	if p, ok := wmmaPlaces.Load(key); ok {
		return p.(*WMMAPlaces)
	}
	p := &WMMAPlaces{Lanes: 64, Copies: 1}
	if wave32 {
		p.Lanes = 32
	}
	if old {
		p.placeOld(s)
	} else {
		p.placeNew(s)
	}
	made, _ := wmmaPlaces.LoadOrStore(key, p)
	return made.(*WMMAPlaces)
}

// Each calls f for each entry.
func (r laneRun) Each(f func(lane, to int)) {
	for n := range r.count {
		f(r.lane+n*r.nextLane, r.to+n*r.nextTo)
	}
}

// placeOld places entries as RDNA3 has them: each 16 lanes hold all of A and B, and multiply every
// second row of A, in waves of 64 every fourth, with their own B.
func (p *WMMAPlaces) placeOld(s WMMA) {
	p.Copies = p.Lanes / Side
	p.A, p.B = make([][]laneRun, s.K), make([][]laneRun, s.K)
	for k := range s.K {
		for g := range p.Copies {
			p.A[k] = append(p.A[k], laneRun{g*Side + g, p.Copies, g*s.K + k, p.Copies * s.K, Side / p.Copies})
			p.B[k] = append(p.B[k], laneRun{g * Side, 1, (g*s.K + k) * Side, 1, Side})
		}
	}
	for r := range Side / p.Copies {
		for g := range p.Copies {
			p.Row[r][g] = r*p.Copies + g
		}
	}
}

// placeNew places entries as RDNA4 has them.
func (p *WMMAPlaces) placeNew(s WMMA) {
	p.A = p.placeFactor(s.Depth(), s.lanesOf(false), s.Sparse, func(k int) (to, next int) { return k, s.Depth() })
	p.B = p.placeFactor(s.K, s.lanesOf(true), false, func(k int) (to, next int) { return k * Side, 1 })
	registers := Side * Side / p.Lanes
	for r := range registers {
		for g := range p.Lanes / Side {
			p.Row[r][g] = g%2*8 + r
			if p.Lanes == 64 {
				p.Row[r][g] += g / 2 * 4
			}
		}
	}
	for r := range registers / 2 {
		for g := range p.Lanes / Side {
			p.Packed[r][g] = [2]int{p.Row[2*r][g], p.Row[2*r+1][g]}
		}
	}
}

// placeFactor goes through the bits of k: some choose lanes, the others number a lane's entries.
func (p *WMMAPlaces) placeFactor(depth int, of wmmaLanes, sparse bool, place func(k int) (to, next int)) [][]laneRun {
	if p.Lanes == 32 {
		of.pair = none
	}
	if sparse { // two entries stand for four
		of.group--
		of.pair--
	}
	var all [][]laneRun
	for k := range depth {
		lane, n, shift := 0, 0, 0
		for b := range bits.Len(uint(depth - 1)) {
			switch bit := k >> b & 1; {
			case b == of.group:
				lane |= bit << 4
			case of.pair >= 0 && b == of.pair:
				lane |= bit << 5
			default:
				n |= bit << shift
				shift++
			}
		}
		for n >= len(all) {
			all = append(all, nil)
		}
		to, next := place(k)
		all[n] = append(all[n], laneRun{lane, 1, to, next, Side})
	}
	return all
}

// values are the numbers of the formats of 8 bits, as singles: of EntryE4M3 and EntryE5M2, by their lowest bits.
var values = sync.OnceValue(func() *[2][256]uint32 {
	all := new([2][256]uint32)
	for x := range 256 {
		all[EntryE4M3&1][x] = math.Float32bits(float32(alu.OcpE4M3.Value(uint32(x))))
		all[EntryE5M2&1][x] = math.Float32bits(float32(alu.OcpE5M2.Value(uint32(x))))
	}
	return all
})

// LoadWMMA takes entries of lanes apart, as doubles. signed is for integers; flip has bits that are changed in
// each register before: signs. x is room for one register.
func LoadWMMA(to *[Side * MostDepth]float64, x *alu.Lanes, regs []alu.Lanes, e Entry, places [][]laneRun, signed bool, flip uint32) {
	size := uint(e.Bits())
	for n, runs := range places {
		from, shift := &regs[uint(n)*size/32], uint(n)*size%32&31
		switch {
		case e == EntryF16 && shift == 0:
			alu.CvtF32F16(x, from)
		case e == EntryF16:
			alu.CvtF32HighF16(x, from)
		case e == EntryBF16:
			for l := range x {
				x[l] = Flushed(from[l] >> shift << 16)
			}
		case e == EntryF32:
			for l := range x {
				x[l] = Flushed(from[l])
			}
		case signed:
			for l := range x {
				x[l] = math.Float32bits(float32(int32(from[l]<<((32-size-shift)&31)) >> ((32 - size) & 31)))
			}
		case e == EntryI8 || e == EntryI4:
			for l := range x {
				x[l] = math.Float32bits(float32(from[l] << ((32 - size - shift) & 31) >> ((32 - size) & 31)))
			}
		default:
			v := &values()[e&1]
			for l := range x {
				x[l] = v[from[l]>>shift&0xff]
			}
		}
		sign := uint32(0)
		if e == EntryF16 || e == EntryBF16 || e == EntryF32 {
			sign = flip >> (shift + size - 1) << 31
		}
		for _, r := range runs {
			r.scatter(to, x, sign)
		}
	}
}

// scatter converts a run's entries, whose signs change with a sign bit.
func (r *laneRun) scatter(to *[Side * MostDepth]float64, x *alu.Lanes, sign uint32) {
	if r.count == Side && r.nextLane == 1 && r.nextTo == 1 {
		row := (*[Side]float64)(to[r.to:])
		for j, v := range (*[Side]uint32)(x[r.lane:]) {
			row[j] = float64(alu.Float(v ^ sign))
		}
		return
	}
	lane, at := r.lane, r.to
	for range r.count {
		to[at&(len(to)-1)] = float64(alu.Float(x[lane&63] ^ sign))
		lane += r.nextLane
		at += r.nextTo
	}
}

// Flushed makes a zero of a denormal single.
func Flushed(x uint32) uint32 {
	if x&0x7f800000 == 0 {
		return x & 0x80000000
	}
	return x
}

// spread is how far exponents of nonzero numbers are apart.
func spread(x []float64) int {
	least, most := 0x7ff, 0
	for _, v := range x {
		if b := math.Float64bits(v); b<<1 != 0 {
			e := int(b >> 52 & 0x7ff)
			least, most = min(least, e), max(most, e)
		}
	}
	if most == 0x7ff {
		return most
	}
	return max(0, most-least)
}

// Exact reports whether sums of products of a's and b's entries are exact in doubles, whatever their order.
func (s WMMA) Exact(a, b []float64) bool {
	if s.Integers() {
		return true
	}
	growth := 2 + bits.Len(uint(s.Depth()-1)) // products are less than four times their exponents, and sums less than as many times as they have terms
	return spread(a)+spread(b) <= 53-growth-int(s.A.fraction()+s.B.fraction())
}

// Splits reports whether products are multiples of 2^-48 and less than 2^32, for alu.SplitProducts.
func (s WMMA) Splits() bool { return splits(s.A) && splits(s.B) }

func splits(e Entry) bool { return e == EntryF16 || e == EntryE4M3 || e == EntryE5M2 }

// AddSplit adds c to an exact sum in two parts; the result rounds to any shorter format as the exact one does. ok is
// false where it does not know the sum: it is not finite, or perhaps -0.
//
// A part that is left out in both additions is less than the last place of their result: the sum of the two parts is odd
// then, and not exact, so it decides which of two numbers the result is between.
func AddSplit(high, low, c float64) (sum float64, ok bool) {
	s, e := twoSum(high, low)
	s, f := twoSum(s, c)
	switch {
	case s == 0 && e != 0: // f is 0
		return e, true
	case s == 0: // only zeros with a sign have a sum with one
		return 0, c != 0 || !math.Signbit(c)
	case s-s != 0:
		return 0, false
	}
	return toOdd(twoSum(s, toOdd(twoSum(e, f)))), true
}

// AddSplitSingles is AddSplit for a row of singles. It returns the columns that it has left alone.
func AddSplitSingles(lanes *[Side]uint32, high, low *[Side]float64) (unknown uint32) {
	for j, x := range lanes {
		sum, ok := AddSplit(high[j], low[j], float64(alu.Float(Flushed(x))))
		if !ok {
			unknown |= 1 << j
			continue
		}
		lanes[j] = Flushed(math.Float32bits(float32(sum)))
	}
	return unknown
}

// SumRow adds up products of a row of A with the rows of B that at names, for each column.
func SumRow(sum *[Side]float64, a, b []float64, at []uint8) {
	for j := 0; j < Side; j += 4 {
		c := (*[4]float64)(b[int(at[0])*Side+j:])
		x := a[0]
		s0, s1, s2, s3 := x*c[0], x*c[1], x*c[2], x*c[3]
		for k := 1; k < len(a) && k < len(at); k++ {
			c := (*[4]float64)(b[int(at[k])*Side+j:])
			x := a[k]
			s0 += x * c[0]
			s1 += x * c[1]
			s2 += x * c[2]
			s3 += x * c[3]
		}
		sum[j], sum[j+1], sum[j+2], sum[j+3] = s0, s1, s2, s3
	}
}

// twoSum returns a sum of doubles, and its rounding error.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	t := sum - a
	return sum, a - (sum - t) + (b - t)
}

// toOdd returns a double that rounds to any shorter format as hi+lo does: hi, or of its neighbours the odd one.
func toOdd(hi, lo float64) float64 {
	b := math.Float64bits(hi)
	if lo == 0 || b&1 != 0 {
		return hi
	}
	if (lo > 0) == (hi > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// AddExact adds c to an exact sum; the result rounds as the exact one does.
func AddExact(sum, c float64) float64 {
	hi, lo := twoSum(sum, c)
	if lo == 0 {
		return hi
	}
	return toOdd(hi, lo)
}

// AddSingles adds exact sums to singles.
func AddSingles(lanes *[Side]uint32, sums *[Side]float64) {
	for j, x := range lanes {
		hi, lo := twoSum(sums[j], float64(alu.Float(Flushed(x))))
		if lo != 0 {
			hi = toOdd(hi, lo)
		}
		r := math.Float32bits(float32(hi))
		if hi != hi {
			r = 0x7fc00000
		}
		lanes[j] = Flushed(r)
	}
}

// SumExact adds up numbers; the result rounds to any shorter format as the exact sum does.
func SumExact(terms []float64) float64 {
	sum, rest := terms[0], 0.0
	for _, x := range terms[1:] {
		var e, lost float64
		sum, e = twoSum(sum, x)
		if rest, lost = twoSum(rest, e); lost != 0 {
			return sumFar(terms)
		}
	}
	if rest == 0 {
		return sum
	}
	return toOdd(twoSum(sum, rest))
}

// sumFar is SumExact for numbers that two doubles do not hold the sum of, infinities and NaNs.
func sumFar(terms []float64) float64 {
	plain := terms[0]
	for _, x := range terms[1:] {
		plain += x
	}
	if plain-plain != 0 {
		return plain
	}
	var whole wideSum
	for _, x := range terms {
		whole.add(x)
	}
	return whole.round()
}

// RoundWMMA rounds an entry of the result, and makes a zero of a denormal single or bfloat.
func RoundWMMA(x float64, to Entry) uint32 {
	switch to {
	case EntryF16:
		if x != x {
			return 0x7e00
		}
		return uint32(alu.HalfFrom64(x))
	case EntryBF16:
		if x != x {
			return 0x7fc0
		}
		return Flushed(uint32(alu.Bfloat16.Round(x, alu.SmallRounding{}))<<16) >> 16
	}
	if x != x {
		return 0x7fc00000
	}
	return Flushed(math.Float32bits(float32(x)))
}

// BytesOf returns the numbers of a format of 8 bits, as singles.
func BytesOf(e Entry) *[256]uint32 { return &values()[e&1] }
