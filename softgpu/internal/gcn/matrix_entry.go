package gcn

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// load takes A and B apart.
func (m *multiplication) load(w *Wave, temp *matrixTemp) {
	a, b := registersOf(w, &m.srcA, m.perA*m.a.bits()/32), registersOf(w, &m.srcB, m.perB*m.b.bits()/32)
	if m.scaled {
		m.loadScales(w, temp)
	}
	if m.sparse {
		m.loadIndex(registersOf(w, &m.index, 1), temp)
	}
	if m.wide == 2 {
		for l := range temp.aw {
			from := m.fromB[l]
			temp.aw[l] = alu.Join(a[0][l], a[1][l]) ^ uint64(m.negate&1)<<63
			temp.bw[l] = alu.Join(b[0][from], b[1][from]) ^ uint64(m.negate>>1&1)<<63
		}
		return
	}
	if m.fused {
		temp.odd = false
		m.scale(temp, &temp.fa, a, m.a, m.rowsA, m.perA, &everyLane)
		m.scale(temp, &temp.fb, b, m.b, m.rowsB, m.perB, m.fromB)
		if !temp.odd {
			return
		}
	}
	loadEntries(&temp.a, a, m.a, m.lanesA, m.perA, &everyLane)
	loadEntries(&temp.b, b, m.b, m.lanesB, m.perB, m.fromB)
}

func (m *multiplication) loadScales(w *Wave, temp *matrixTemp) {
	for n := range temp.scales {
		for l, x := range registersOf(w, &m.srcScale[n], 1)[0] {
			temp.scales[n][l] = uint8(x >> m.scaleShift[n])
		}
	}
}

// fields is one entry of each lane: bits that may start in one register and end in the next.
type fields struct {
	low, high *alu.Lanes
	at        uint
}

func fieldsOf(regs []alu.Lanes, n int, bits uint) fields {
	at := uint(n) * bits
	x := fields{&regs[at/32], &alu.Zeros, at % 32}
	if at%32+bits > 32 {
		x.high = &regs[at/32+1]
	}
	return x
}

func (x *fields) of(l uint8) uint32 {
	return x.low[l&63]>>(x.at&31) | x.high[l&63]<<(32-x.at&63)
}

// everyLane are the lanes, in order.
var everyLane = func() (all [64]uint8) {
	for l := range all {
		all[l] = uint8(l)
	}
	return all
}()

// loadEntries puts entries in the order of columns of A, or rows of B.
func loadEntries(to *[2048]uint32, regs []alu.Lanes, e entry, y *lanePlaces, per int, from *[64]uint8) {
	if e == entryF32 && y.inOrder && from == &everyLane {
		for n := range per {
			copy(to[y.column(n)*y.rows:], regs[n][:])
		}
		return
	}
	for n := range per {
		x, first := fieldsOf(regs, n, uint(e.bits())), y.column(n)*y.rows
		switch places := &y.places; e {
		case entryF32:
			for l, lane := range from {
				to[(first+places[l])&2047] = x.of(lane)
			}
		case entryBF16:
			for l, lane := range from {
				to[(first+places[l])&2047] = x.of(lane) << 16
			}
		case entryI8:
			for l, lane := range from {
				to[(first+places[l])&2047] = uint32(int8(x.of(lane)))
			}
		default:
			for l, lane := range from {
				to[(first+places[l])&2047] = e.single(x.of(lane))
			}
		}
	}
}

// lanePlaces are where entries of each lane go, in the order of columns of A or rows of B.
type lanePlaces struct {
	layout
	places  [64]int
	inOrder bool // those of one register follow each other
}

func lanePlacesOf(rows, per, bits int) *lanePlaces {
	y := &lanePlaces{layout: layoutOf(rows, per, bits), inOrder: true}
	for l := range y.places {
		y.places[l] = y.ofLane(l)*rows + l%rows
		y.inOrder = y.inOrder && y.places[l] == l
	}
	return y
}

// single is the entry in the low bits of x as a single, or as an integer.
func (e entry) single(x uint32) uint32 {
	switch e {
	case entryF16:
		return math.Float32bits(alu.HalfTo32(uint16(x)))
	case entryBF16:
		return x << 16
	case entryI8:
		return uint32(int8(x))
	case entryXF32:
		return x &^ 0x1fff
	case entryFP8, entryBF8, entryE4M3, entryE5M2, entryE2M3, entryE3M2, entryE2M1:
		return math.Float32bits(e.small(x))
	}
	return x
}

// ocp returns the format that instructions from gfx950 on mean by the name of
// one of gfx942's: the OCP's, with the bias of IEEE's formats.
func (e entry) ocp() entry {
	switch e {
	case entryFP8:
		return entryE4M3
	case entryBF8:
		return entryE5M2
	}
	return e
}

// small is the value of a number of 8 bits or less. gfx942's have an exponent of
// 4 or 5 bits with a bias one above IEEE's, one NaN, in the place of -0, and no
// infinity. Of the OCP's formats E5M2 is like IEEE's, E4M3 has NaNs, where all
// bits behind the sign are set, and no infinities, and those of 6 and 4 bits have
// neither (OCP 8-bit Floating Point Specification 1.0, table 1; OCP Microscaling
// Formats Specification 1.0, 5.3).
func (e entry) small(x uint32) float32 {
	if e.special(x) {
		if e == entryE5M2 && x&3 == 0 {
			return float32(math.Inf(1 - int(x>>7&1)*2))
		}
		return math.Float32frombits(0x7fc00000)
	}
	s := e.scaled(x)
	return float32(s.factor(e.fraction()).value)
}

// loadIndex finds for each entry of a sparse A the row of B that it is
// multiplied with: two bits for each, which of four; pairs come from the same four.
func (m *multiplication) loadIndex(regs []alu.Lanes, temp *matrixTemp) {
	for l, bits := range regs[0] {
		row := l % m.rowsA
		bits >>= m.indexShift
		for n := range m.perA {
			s := l/m.rowsA*m.perA + n
			temp.at[row*m.depth+s] = uint8(s/2*4) + uint8(bits>>(2*n)&3)
		}
	}
}

// scaled is sig * 2^exp, sig with the entry's number of fractional bits.
type scaled struct{ sig, exp int32 }

// factor is a number, and the exponent that it counts with.
type factor struct {
	value float64
	exp   int
}

func (x scaled) factor(fraction uint) factor {
	return factor{float64(x.sig) * powerOf2(int(x.exp)-int(fraction)), int(x.exp)}
}

// Formats of entries: bits of the fraction, and the bias of the exponent.
func (e entry) fraction() uint {
	return [...]uint{entryF32: 23, entryXF32: 10, entryF16: 10, entryBF16: 7, entryFP8: 3, entryBF8: 2,
		entryE4M3: 3, entryE5M2: 2, entryE2M3: 3, entryE3M2: 2, entryE2M1: 1}[e]
}

func (e entry) bias() int32 {
	return [...]int32{entryF32: 127, entryXF32: 127, entryF16: 15, entryBF16: 127, entryFP8: 8, entryBF8: 16,
		entryE4M3: 7, entryE5M2: 15, entryE2M3: 1, entryE3M2: 3, entryE2M1: 1}[e]
}

// zeroExponent is the exponent that a zero counts with.
const zeroExponent = -126

// parts tells how to take numbers of a format apart.
type parts struct {
	unused, fraction, sign uint // bits: below the number, of its fraction, and below its sign
	exponents              uint32
	bias                   int32
}

func (e entry) parts() parts {
	size, unused := uint(e.bits()), uint(0)
	if e == entryXF32 {
		size, unused = 19, 13
	}
	return parts{unused, e.fraction(), size - 1, 1<<(size-1-e.fraction()) - 1, e.bias()}
}

// of takes the finite number in the low bits of x apart.
func (p *parts) of(x uint32) scaled {
	f := p.fraction & 31
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
func (e entry) scaled(x uint32) scaled {
	p := e.parts()
	return p.of(x)
}

// special tells whether the low bits of x are an infinity or NaN.
func (e entry) special(x uint32) bool {
	switch e {
	case entryF16:
		return x&0x7c00 == 0x7c00
	case entryBF16:
		return x&0x7f80 == 0x7f80
	case entryFP8, entryBF8:
		return x&0xff == 0x80
	case entryE4M3:
		return x&0x7f == 0x7f
	case entryE5M2:
		return x&0x7c == 0x7c
	case entryE2M3, entryE3M2, entryE2M1:
		return false
	}
	return x&0x7f800000 == 0x7f800000
}

// smallParts are the numbers of at most eight bits, taken apart.
var smallParts = func() (all [entryE2M1 + 1]*[256]factor) {
	for e := range all {
		if e := entry(e); e.fraction() != 0 && e.bits() <= 8 {
			all[e] = new([256]factor)
			for x := range all[e] {
				all[e][x] = e.scaled(uint32(x)).factor(e.fraction())
			}
		}
	}
	return all
}()

// scale takes entries apart, in the order of rows of A, or columns of B.
func (m *multiplication) scale(temp *matrixTemp, to *[2048]factor, regs []alu.Lanes, e entry, rows, per int, from *[64]uint8) {
	y, p, known := layoutOf(rows, per, e.bits()), e.parts(), smallParts[e]
	var places [64]int
	for l := range places {
		places[l] = y.ofLane(l) + l%rows*(per*64/rows)
	}
	for n := range per {
		x, first := fieldsOf(regs, n, uint(e.bits())), y.column(n)
		for l, lane := range from {
			x := x.of(lane)
			temp.odd = temp.odd || e.special(x)
			if known != nil {
				to[first+places[l]] = known[x&0xff]
			} else {
				to[first+places[l]] = p.of(x).factor(p.fraction)
			}
		}
	}
}
