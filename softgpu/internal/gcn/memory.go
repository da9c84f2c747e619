package gcn

import (
	"math"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// window is a range of addresses that may be accessed.
type window struct{ lo, hi uint64 }

func (r window) holds(addr, size uint64) bool {
	return addr >= r.lo && addr < r.hi && r.hi-addr >= size
}

// windows are those found last, the latest first.
type windows [4]window

func (s *windows) holds(addr, size uint64) bool {
	if s[0].holds(addr, size) {
		return true
	}
	for n := 1; n < len(s); n++ {
		if s[n].holds(addr, size) {
			hit := s[n]
			copy(s[1:n+1], s[:n])
			s[0] = hit
			return true
		}
	}
	return false
}

func (s *windows) add(r window) {
	copy(s[1:], s[:len(s)-1])
	s[0] = r
}

// reach tells whether size bytes at addr may be accessed.
func (w *Wave) reach(addr, size uint64, write bool) bool {
	known := &w.reads
	if write {
		known = &w.writes
	}
	if known.holds(addr, size) {
		return true
	}
	if w.Mem == nil {
		return false
	}
	lo, hi, ok := w.Mem.Window(addr, write)
	if !ok || !(window{lo, hi}).holds(addr, size) {
		return false
	}
	known.add(window{lo, hi})
	return true
}

// reachLanes checks the addresses of the lanes of m, which lie from low to high,
// and fails the wave at the first bad one. Aliases in w.addr become host addresses.
func (w *Wave) reachLanes(m, low, high, size uint64, write bool) bool {
	if m == 0 {
		return true
	}
	if span := high - low; span <= math.MaxUint32 && w.spanKnown(low, span+size, write) {
		return true
	}
	aliased := w.aliases.of(write)
	allAliases := aliased.holds(low, high-low+size)
	for ; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if allAliases {
			w.addr[l] += aliased.by
			continue
		}
		addr, ok := w.locate(w.addr[l], size, write)
		if !ok {
			w.failAccess(l, w.addr[l], write)
			return false
		}
		w.addr[l] = addr
	}
	return true
}

// spanKnown tells whether one window holds all of a span; it looks no windows up but that of the start.
func (w *Wave) spanKnown(low, size uint64, write bool) bool {
	if write {
		return w.writes.holds(low, size)
	}
	return w.reads.holds(low, size)
}

func (w *Wave) failAccess(lane int, addr uint64, write bool) {
	if write {
		w.fail("write to an address that is not mapped", lane, addr)
	} else {
		w.fail("read from an address that is not mapped", lane, addr)
	}
}

// A space finds the memory that the active lanes of a wave mean: resolve puts
// host addresses into w.addr, all checked for size bytes, and returns the lanes that have
// one, and how far apart their words are. Lanes of m without address are out of
// range in the way in which reads give 0 and writes are dropped. A fault stops
// the wave and returns no lanes.
type space interface {
	resolve(w *Wave, m, size uint64, write bool) (valid, step uint64)
}

// swizzledSpace is one whose lanes' words do not follow each other. For an
// access that is not aligned, resolve leaves offsets in w.addr and returns a
// step of 0: its bytes are moved one by one.
type swizzledSpace interface {
	space
	byteAt(w *Wave, lane int, off uint64) (addr uint64)
}

// registers is where the data of an instruction is.
type registers struct {
	at    int
	acc   bool
	count int
}

func bindRegisters(o *Operand) registers {
	return registers{at: int(o.Reg), acc: o.Kind == AReg, count: int(o.Width)}
}

// overlaps tells whether two ranges have a register in common, if both are of the same file.
func (r registers) overlaps(x registers) bool {
	return r.at < x.at+x.count && x.at < r.at+r.count
}

func (r registers) all(w *Wave, n int) []alu.Lanes {
	if r.acc {
		return w.A[r.at : r.at+n]
	}
	return w.V[r.at : r.at+n]
}

// word is register n of r.
func (r registers) word(n int) registers {
	r.at += n
	r.count = 1
	return r
}

func (r registers) of(w *Wave, n int) *alu.Lanes {
	if r.acc {
		return &w.A[r.at+n]
	}
	return &w.V[r.at+n]
}
