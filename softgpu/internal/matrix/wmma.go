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
	A, B   [][]laneRun // by entry of the lane: to MatrixTemp.Da, and Db
	Copies int         // of B, of which each is for rows of its own
	Row    [8][4]int   // row of the result, by register and group of 16 lanes; two of 16 bits may share a register
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
		case e == EntryF16 || e == EntryBF16 || e == EntryF32:
			Widen(x, from, e, shift != 0)
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

// highHalves are the bits of the second of two entries of 16 bits.
var highHalves = alu.LanesOf(0xffff0000)

// Widen makes singles of entries: halves, bfloats or singles; of two in a register with high the second. Denormal bfloats and
// singles become zeros.
func Widen(x, from *alu.Lanes, e Entry, high bool) {
	switch {
	case e == EntryF16 && high:
		alu.CvtF32HighF16(x, from)
		return
	case e == EntryF16:
		alu.CvtF32F16(x, from)
		return
	case e == EntryBF16 && high:
		alu.AndB32(x, from, &highHalves)
	case e == EntryBF16:
		alu.LshlrevB32(x, &alu.Sixteens, from)
	default:
		*x = *from
	}
	alu.FlushDenorms(x)
}

// Narrow makes two entries of 16 bits in a register of singles that AddRow rounded to odd.
func Narrow(x, low, high *alu.Lanes, e Entry) {
	if e == EntryF16 {
		alu.CvtPkF16F32(x, low, high)
		return
	}
	alu.CvtPkBf16F32(x, low, high)
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

// Splits reports whether products are multiples of 2^-48 and less than 2^32, for alu.SplitProducts.
func (s WMMA) Splits() bool { return splits(s.A) && splits(s.B) }

func splits(e Entry) bool { return e == EntryF16 || e == EntryE4M3 || e == EntryE5M2 }

// SumRow adds up exact products of a row of A with the rows of B that at names, for each column.
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

// rowKernels are the steps of AddRow.
type rowKernels struct {
	split    alu.SplitKernel
	addSplit alu.AddSplitKernel
	products alu.ProductsKernel
	round    [2]alu.SinglesKernel // to the nearest, and to odd
}

var fastest = rowKernels{alu.SplitProducts, alu.AddSplit, alu.AddProducts, [2]alu.SinglesKernel{alu.NearestSingles, alu.OddSingles}}

// AddRow adds products of a row of A with the rows of B that at names to 16 entries of C, which are singles. The results
// are singles, too: rounded to the nearest or, with odd, so that halves and bfloats next to them are those next to the
// exact sums. split is what Splits reports.
func (t *MatrixTemp) AddRow(c *[Side]uint32, a, b []float64, at []uint8, split, odd bool) {
	t.addRow(&fastest, c, a, b, at, split, odd)
}

func (t *MatrixTemp) addRow(with *rowKernels, c *[Side]uint32, a, b []float64, at []uint8, split, odd bool) {
	if split {
		with.split(&t.High, &t.Low, a, b, at)
		for zeros := with.addSplit(&t.Sum, &t.High, &t.Low, c); zeros != 0; zeros &= zeros - 1 {
			if j := bits.TrailingZeros32(zeros); allMinusZero(a, b[j:], at) {
				t.Sum[j] = math.Copysign(0, -1)
			}
		}
	} else {
		for unknown := with.products(&t.Sum, c, a, b, at); unknown != 0; unknown &= unknown - 1 {
			j := bits.TrailingZeros32(unknown)
			var whole wideSum
			whole.add(float64(alu.Float(c[j])))
			for k, x := range a {
				whole.add(x * b[int(at[k])*Side+j])
			}
			t.Sum[j] = whole.round()
		}
	}
	round := with.round[0]
	if odd {
		round = with.round[1]
	}
	round(c, &t.Sum)
}

// allMinusZero reports whether the products of a with the first column of b are.
func allMinusZero(a, b []float64, at []uint8) bool {
	for k, x := range a {
		if math.Float64bits(x*b[int(at[k])*Side]) != 1<<63 {
			return false
		}
	}
	return true
}

// SumExact adds up numbers; the result rounds to any shorter format as the exact sum does.
func SumExact(terms []float64) float64 {
	sum, rest := terms[0], 0.0
	for _, x := range terms[1:] {
		var e, lost float64
		sum, e = alu.TwoSum(sum, x)
		if rest, lost = alu.TwoSum(rest, e); lost != 0 {
			return sumFar(terms)
		}
	}
	if rest == 0 {
		return sum
	}
	return alu.ToOdd(alu.TwoSum(sum, rest))
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
