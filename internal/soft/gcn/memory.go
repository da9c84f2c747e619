package gcn

import (
	"math"
	"math/bits"
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

// reachLanes checks the addresses of the lanes of m, and fails the wave at the first bad one.
func (w *Wave) reachLanes(m, low, high, size uint64, write bool) bool {
	if m == 0 {
		return true
	}
	if span := high - low; span <= math.MaxUint32 && w.spanKnown(low, span+size, write) {
		return true
	}
	for ; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if !w.reach(w.addr[l], size, write) {
			w.failAccess(l, w.addr[l], write)
			return false
		}
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

func portableRange(lo, hi *Lanes) (low, high uint32, same bool) {
	low, same = math.MaxUint32, true
	for l := range lo {
		low, high = min(low, lo[l]), max(high, lo[l])
		same = same && hi[l] == hi[0]
	}
	return low, high, same
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

// linear is the distance of a lane's words where memory is not swizzled.
const linear = 4

// registers is where the data of an instruction is.
type registers struct {
	at    int
	acc   bool
	count int
}

func bindRegisters(o *Operand) registers {
	return registers{at: int(o.Reg), acc: o.Kind == AReg, count: int(o.Width)}
}

func (r registers) of(w *Wave, n int) *Lanes {
	if r.acc {
		return &w.A[r.at+n]
	}
	return &w.V[r.at+n]
}

// width tells how much of memory a load or store moves, and how it fills a register.
type width struct {
	bytes  uint64
	signed bool
	d16    bool // a load leaves the other half of the register alone
	high   bool // the upper half of the register is meant
}

var (
	ubyte     = width{bytes: 1}
	sbyte     = width{bytes: 1, signed: true}
	ushort    = width{bytes: 2}
	sshort    = width{bytes: 2, signed: true}
	dword     = width{bytes: 4}
	dwordx2   = width{bytes: 8}
	dwordx3   = width{bytes: 12}
	dwordx4   = width{bytes: 16}
	ubyteD16  = width{bytes: 1, d16: true}
	sbyteD16  = width{bytes: 1, signed: true, d16: true}
	shortD16  = width{bytes: 2, d16: true}
	ubyteHigh = width{bytes: 1, d16: true, high: true}
	sbyteHigh = width{bytes: 1, signed: true, d16: true, high: true}
	shortHigh = width{bytes: 2, d16: true, high: true}
)

// load fills registers from the resolved addresses of the lanes of m; those of zero read 0.
func (t width) load(w *Wave, d registers, m, zero, step uint64) {
	if t.bytes < 4 {
		t.loadPart(w, d.of(w, 0), m, zero)
		return
	}
	for n := uint64(0); n < t.bytes/4; n++ {
		to := d.of(w, int(n))
		if m == full {
			gatherWords(to, &w.addr, n*step)
			continue
		}
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			to[l] = load32(w.addr[l] + n*step)
		}
		for k := zero; k != 0; k &= k - 1 {
			to[bits.TrailingZeros64(k)&63] = 0
		}
	}
}

func (t width) loadPart(w *Wave, to *Lanes, m, zero uint64) {
	for k := m | zero; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		var v uint32
		if m>>uint(l)&1 != 0 {
			if t.bytes == 1 {
				v = load8(w.addr[l])
			} else {
				v = load16(w.addr[l])
			}
		}
		to[l] = t.fill(to[l], v)
	}
}

// fill puts a loaded part into a register that held old.
func (t width) fill(old, v uint32) uint32 {
	switch {
	case t.signed && t.bytes == 1:
		v = uint32(int8(v))
	case t.signed:
		v = uint32(int16(v))
	}
	switch {
	case t.high:
		return old&0xffff | v<<16
	case t.d16:
		return old&^0xffff | v&0xffff
	}
	return v
}

// store writes registers to the resolved addresses of the lanes of m.
func (t width) store(w *Wave, s registers, m, step uint64) {
	if t.bytes < 4 {
		from := s.of(w, 0)
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			v := from[l]
			if t.high {
				v >>= 16
			}
			if t.bytes == 1 {
				store8(w.addr[l], v)
			} else {
				store16(w.addr[l], v)
			}
		}
		return
	}
	if m == full {
		for n := uint64(0); n < t.bytes/4; n++ {
			scatterWords(s.of(w, int(n)), &w.addr, n*step)
		}
		return
	}
	for n := uint64(0); n < t.bytes/4; n++ {
		from := s.of(w, int(n))
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			store32(w.addr[l]+n*step, from[l])
		}
	}
}

// A based space can tell that all lanes' addresses are one base plus 32 bits of
// their own, and that they are in range. What it can not tell, resolve does.
type based interface {
	space
	base(w *Wave, size uint64, write bool) (base uint64, off *Lanes, ok bool)
}

func stepLoad(s space, t width, d registers) Step {
	each := func(w *Wave) {
		m := w.Exec()
		valid, step := s.resolve(w, m, t.bytes, false)
		switch {
		case w.Status == Faulted:
		case step == 0:
			t.loadBytes(w, s.(swizzledSpace), d, valid, m&^valid)
		default:
			t.load(w, d, valid, m&^valid, step)
		}
	}
	b, ok := s.(based)
	if !ok || t.bytes < 4 {
		return each
	}
	return func(w *Wave) {
		if w.Exec() != full {
			each(w)
			return
		}
		base, off, ok := b.base(w, t.bytes, false)
		if !ok {
			each(w)
			return
		}
		t.gather(w, d, off, base)
	}
}

// gather loads words of all lanes. The offsets may be in one of the registers that are loaded.
func (t width) gather(w *Wave, d registers, off *Lanes, base uint64) {
	if t.bytes > 4 {
		w.old = *off
		off = &w.old
	}
	for n := uint64(0); n < t.bytes/4; n++ {
		gatherAt(d.of(w, int(n)), off, base+n*4)
	}
}

func stepStore(s space, t width, from registers) Step {
	each := func(w *Wave) {
		valid, step := s.resolve(w, w.Exec(), t.bytes, true)
		switch {
		case valid == 0:
		case step == 0:
			t.storeBytes(w, s.(swizzledSpace), from, valid)
		default:
			t.store(w, from, valid, step)
		}
	}
	b, ok := s.(based)
	if !ok || t.bytes < 4 {
		return each
	}
	return func(w *Wave) {
		if w.Exec() != full {
			each(w)
			return
		}
		base, off, ok := b.base(w, t.bytes, true)
		if !ok {
			each(w)
			return
		}
		t.scatter(w, from, off, base)
	}
}

func (t width) scatter(w *Wave, from registers, off *Lanes, base uint64) {
	for n := uint64(0); n < t.bytes/4; n++ {
		scatterAt(from.of(w, int(n)), off, base+n*4)
	}
}

// atomicFunc computes the new value of memory from the old one and the
// instruction's data: for compare-and-swap, cmp is what old must be.
type atomicFunc func(old, data, cmp uint64) uint64

func atomicSwap(_, data, _ uint64) uint64     { return data }
func atomicAdd(old, data, _ uint64) uint64    { return old + data }
func atomicSub(old, data, _ uint64) uint64    { return old - data }
func atomicRsub(old, data, _ uint64) uint64   { return data - old }
func atomicAnd(old, data, _ uint64) uint64    { return old & data }
func atomicOr(old, data, _ uint64) uint64     { return old | data }
func atomicXor(old, data, _ uint64) uint64    { return old ^ data }
func atomicUmin(old, data, _ uint64) uint64   { return min(old, data) }
func atomicUmax(old, data, _ uint64) uint64   { return max(old, data) }
func atomicSmin64(old, data, _ uint64) uint64 { return uint64(min(int64(old), int64(data))) }
func atomicSmax64(old, data, _ uint64) uint64 { return uint64(max(int64(old), int64(data))) }
func atomicSmin32(old, data, _ uint64) uint64 { return uint64(min(int32(old), int32(data))) }
func atomicSmax32(old, data, _ uint64) uint64 { return uint64(max(int32(old), int32(data))) }

func atomicInc(old, data, _ uint64) uint64 {
	if old >= data {
		return 0
	}
	return old + 1
}

func atomicDec(old, data, _ uint64) uint64 {
	if old == 0 || old > data {
		return data
	}
	return old - 1
}

func atomicCmpswap(old, data, cmp uint64) uint64 {
	if old == cmp {
		return data
	}
	return old
}

func atomicAddF32(old, data, _ uint64) uint64 {
	return fromSingle(float(uint32(old)) + float(uint32(data)))
}

func atomicAddF64(old, data, _ uint64) uint64 {
	return math.Float64bits(double(old) + double(data))
}

func atomicMinF32(old, data, _ uint64) uint64 { return uint64(lesser32(uint32(old), uint32(data))) }
func atomicMaxF32(old, data, _ uint64) uint64 { return uint64(greater32(uint32(old), uint32(data))) }
func atomicMinF64(old, data, _ uint64) uint64 { return lesser64(old, data, 0) }
func atomicMaxF64(old, data, _ uint64) uint64 { return greater64(old, data, 0) }

func atomicCmpswapF32(old, data, cmp uint64) uint64 {
	if float(uint32(old)) == float(uint32(cmp)) {
		return data
	}
	return old
}

func atomicCmpswapF64(old, data, cmp uint64) uint64 {
	if double(old) == double(cmp) {
		return data
	}
	return old
}

// operands are the registers of an atomic: cmp and result may be missing (count 0).
type operands struct{ data, cmp, result registers }

// stepAtomic updates one word of words (1 or 2) registers for each lane, in the order of lanes.
func stepAtomic(s space, f atomicFunc, words int, o operands) Step {
	size := uint64(words) * 4
	return func(w *Wave) {
		m := w.Exec()
		valid, step := s.resolve(w, m, size, true)
		if w.Status == Faulted {
			return
		}
		if step == 0 || words == 2 && step != linear && valid != 0 {
			w.fail("atomic access to swizzled memory that is not one aligned word", -1, 0)
			return
		}
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			var old uint64
			if valid>>uint(l)&1 != 0 {
				if w.addr[l]&(size-1) != 0 {
					w.fail("atomic access to an address that is not aligned", l, w.addr[l])
					return
				}
				data, cmp := o.data.value(w, l, words), uint64(0)
				if o.cmp.count != 0 {
					cmp = o.cmp.value(w, l, words)
				}
				if words == 1 {
					old = update32(w.addr[l], func(old uint64) uint64 { return f(old, data, cmp) })
				} else {
					old = update64(w.addr[l], func(old uint64) uint64 { return f(old, data, cmp) })
				}
			}
			if o.result.count != 0 {
				o.result.of(w, 0)[l] = uint32(old)
				if words == 2 {
					o.result.of(w, 1)[l] = uint32(old >> 32)
				}
			}
		}
	}
}

func (r registers) value(w *Wave, lane, words int) uint64 {
	v := uint64(r.of(w, 0)[lane])
	if words == 2 {
		v |= uint64(r.of(w, 1)[lane]) << 32
	}
	return v
}
