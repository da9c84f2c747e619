package alu

import "math"

// Lanes is one vector register: a 32-bit value for each of the 64 lanes.
type Lanes [64]uint32

func (l *Lanes) portableFill(v uint32) {
	for i := range l {
		l[i] = v
	}
}

var Zeros Lanes // never written

const Full = math.MaxUint64 // EXEC with all 64 lanes active

// FirstLanes tells how many lanes m has if those are the first 32 or all 64, else 0.
func FirstLanes(m uint64) int {
	switch m {
	case Full:
		return 64
	case math.MaxUint32:
		return 32
	}
	return 0
}

// LowHalves and HighHalves have the bits of one half of each lane. Never written.
var LowHalves, HighHalves = LanesOf(0xffff), LanesOf(0xffff << 16)

// LanesOf returns v for all lanes.
func LanesOf(v uint32) (l Lanes) {
	l.portableFill(v)
	return l
}

// Blend copies the lanes of m.
func Blend(d, s *Lanes, m uint64) {
	if m == Full {
		*d = *s
		return
	}
	SelectLanes(d, d, s, m)
}

// Join makes a number of its low and its high word.
func Join(lo, hi uint32) uint64 { return uint64(lo) | uint64(hi)<<32 }

// Pair is a 64-bit value for each of the 64 lanes: two consecutive registers, the low halves first.
type Pair [2]Lanes
