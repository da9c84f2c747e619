package gcn

import "math"

// load takes A and B apart.
func (m *matrix) load(w *Wave, room *matrixRoom) {
	a, b := registersOf(w, &m.srcA, m.perA*m.a.bits()/32), registersOf(w, &m.srcB, m.perB*m.b.bits()/32)
	if m.scaled {
		m.loadScales(w, room)
	}
	if m.sparse {
		m.loadIndex(registersOf(w, &m.index, 1), room)
	}
	if m.wide == 2 {
		for l := range room.aw {
			from := m.fromB[l]
			room.aw[l] = join(a[0][l], a[1][l]) ^ uint64(m.negate&1)<<63
			room.bw[l] = join(b[0][from], b[1][from]) ^ uint64(m.negate>>1&1)<<63
		}
		return
	}
	if m.fused {
		room.odd = false
		m.scale(room, &room.fa, a, m.a, m.rowsA, m.perA, nil)
		m.scale(room, &room.fb, b, m.b, m.rowsB, m.perB, &m.fromB)
		if !room.odd {
			return
		}
	}
	take(&room.a, a, m.a, m.rowsA, m.perA, nil)
	take(&room.b, b, m.b, m.rowsB, m.perB, &m.fromB)
}

func (m *matrix) loadScales(w *Wave, room *matrixRoom) {
	for n := range room.scales {
		for l, x := range registersOf(w, &m.srcScale[n], 1)[0] {
			room.scales[n][l] = uint8(x >> m.scaleShift[n])
		}
	}
}

// field returns entry n of a lane: bits bits of its registers, which may start
// in one and end in the next.
func field(regs []Lanes, l, n int, bits uint) uint32 {
	at := uint(n) * bits
	x := regs[at/32][l] >> (at % 32)
	if at%32+bits > 32 {
		x |= regs[at/32+1][l] << (32 - at%32)
	}
	return x
}

// take puts entries in the order of columns of A, or rows of B.
func take(to *[2048]uint32, regs []Lanes, e entry, rows, per int, from *[64]uint8) {
	bits := e.bits()
	for n := range per {
		for l := range 64 {
			lane := l
			if from != nil {
				lane = int(from[l] & 63)
			}
			to[column(l, n, rows, per, bits)*rows+l%rows] = e.single(field(regs, lane, n, uint(bits)))
		}
	}
}

// single is the entry in the low bits of x as a single, or as an integer.
func (e entry) single(x uint32) uint32 {
	switch e {
	case entryF16:
		return math.Float32bits(halfTo32(uint16(x)))
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
	return float32(math.Ldexp(float64(s.sig), int(s.exp)-int(e.fraction())))
}

// loadIndex finds for each entry of a sparse A the row of B that it is
// multiplied with: two bits for each, which of four; pairs come from the same four.
func (m *matrix) loadIndex(regs []Lanes, room *matrixRoom) {
	for l, bits := range regs[0] {
		row := l % m.rowsA
		bits >>= m.indexShift
		for n := range m.perA {
			s := l/m.rowsA*m.perA + n
			room.at[row*m.depth+s] = uint8(s/2*4) + uint8(bits>>(2*n)&3)
		}
	}
}

// scaled is sig * 2^exp, sig with the entry's number of fractional bits.
type scaled struct{ sig, exp int32 }

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

// scaled takes the finite number in the low bits of x apart.
func (e entry) scaled(x uint32) scaled {
	size := uint(e.bits())
	if e == entryXF32 {
		x, size = x>>13, 19
	}
	f := e.fraction()
	sig, exp := int32(x&(1<<f-1)), int32(x>>f&(1<<(size-1-f)-1))
	switch {
	case exp != 0:
		sig |= 1 << f
	case sig == 0:
		return scaled{0, zeroExponent}
	default:
		exp = 1
	}
	if x>>(size-1)&1 != 0 {
		sig = -sig
	}
	return scaled{sig, exp - e.bias()}
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

// scale takes entries apart, in the order of rows of A, or columns of B.
func (m *matrix) scale(room *matrixRoom, to *[2048]scaled, regs []Lanes, e entry, rows, per int, from *[64]uint8) {
	bits := e.bits()
	deep := per * 64 / rows
	for n := range per {
		for l := range 64 {
			lane := l
			if from != nil {
				lane = int(from[l] & 63)
			}
			x := field(regs, lane, n, uint(bits))
			room.odd = room.odd || e.special(x)
			to[l%rows*deep+column(l, n, rows, per, bits)] = e.scaled(x)
		}
	}
}
