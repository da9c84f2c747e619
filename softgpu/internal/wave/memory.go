package wave

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

// windows are the windows found last, with the latest first.
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

// Reach reports whether size bytes at addr may be accessed.
func (w *Wave) Reach(addr, size uint64, write bool) bool {
	known := &w.Reads
	if write {
		known = &w.Writes
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

// ReachLanes checks the addresses of the lanes of m, which are between low and high. At the first invalid one the wave
// fails. Aliases in w.addr become host addresses.
func (w *Wave) ReachLanes(m, low, high, size uint64, write bool) bool {
	if m == 0 {
		return true
	}
	if span := high - low; span <= math.MaxUint32 && w.SpanKnown(low, span+size, write) {
		return true
	}
	aliased := w.aliases.of(write)
	allAliases := aliased.holds(low, high-low+size)
	for ; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if allAliases {
			w.Addr[l] += aliased.by
			continue
		}
		addr, ok := w.Locate(w.Addr[l], size, write)
		if !ok {
			w.FailAccess(l, w.Addr[l], write)
			return false
		}
		w.Addr[l] = addr
	}
	return true
}

// SpanKnown reports whether one window contains a whole span. It looks up only the window of the start.
func (w *Wave) SpanKnown(low, size uint64, write bool) bool {
	if write {
		return w.Writes.holds(low, size)
	}
	return w.Reads.holds(low, size)
}

// FailAccess stops the wave because a lane has accessed an address that is not mapped.
func (w *Wave) FailAccess(lane int, addr uint64, write bool) {
	if write {
		w.Fail("write to an address that is not mapped", lane, addr)
	} else {
		w.Fail("read from an address that is not mapped", lane, addr)
	}
}

// A space finds the memory that the active lanes of a wave access: resolve writes host addresses to w.addr, all checked
// for size bytes. It returns the lanes that have an address, and the distance between their words. For lanes of m
// without an address, reads give 0 and writes are dropped, since they are out of range. A fault stops the wave and
// returns no lanes.
type Space interface {
	Resolve(w *Wave, m, size uint64, write bool) (valid, step uint64)
}

// SwizzledSpace is a space in which a lane's words are not contiguous. For an access that is not aligned, resolve
// leaves offsets in w.addr and returns a step of 0: its bytes are moved one by one.
type SwizzledSpace interface {
	Space
	ByteAt(w *Wave, lane int, off uint64) (addr uint64)
}

// Registers is the place of an instruction's data.
type Registers struct {
	At    int
	Acc   bool
	Count int
}

// Overlaps reports whether two ranges have a common register. Both must be in the same file.
func (r Registers) Overlaps(x Registers) bool {
	return r.At < x.At+x.Count && x.At < r.At+r.Count
}

// All returns the first n registers.
func (r Registers) All(w *Wave, n int) []alu.Lanes {
	if r.Acc {
		return w.A[r.At : r.At+n]
	}
	return w.V[r.At : r.At+n]
}

// Word is register n of r.
func (r Registers) Word(n int) Registers {
	r.At += n
	r.Count = 1
	return r
}

// Of returns register n.
func (r Registers) Of(w *Wave, n int) *alu.Lanes {
	if r.Acc {
		return &w.A[r.At+n]
	}
	return &w.V[r.At+n]
}
