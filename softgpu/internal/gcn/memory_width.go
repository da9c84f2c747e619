package gcn

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

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
		if m == alu.Full {
			memory.GatherWords(to, &w.addr, n*step)
			continue
		}
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			to[l] = memory.Load32(w.addr[l] + n*step)
		}
		for k := zero; k != 0; k &= k - 1 {
			to[bits.TrailingZeros64(k)&63] = 0
		}
	}
}

func (t width) loadPart(w *Wave, to *alu.Lanes, m, zero uint64) {
	for k := m | zero; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		var v uint32
		if m>>uint(l)&1 != 0 {
			if t.bytes == 1 {
				v = memory.Load8(w.addr[l])
			} else {
				v = memory.Load16(w.addr[l])
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
				memory.Store8(w.addr[l], v)
			} else {
				memory.Store16(w.addr[l], v)
			}
		}
		return
	}
	if m == alu.Full {
		for n := uint64(0); n < t.bytes/4; n++ {
			memory.ScatterWords(s.of(w, int(n)), &w.addr, n*step)
		}
		return
	}
	for n := uint64(0); n < t.bytes/4; n++ {
		from := s.of(w, int(n))
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			memory.Store32(w.addr[l]+n*step, from[l])
		}
	}
}

// A based space can tell that all lanes' addresses are one base plus 32 bits of
// their own, and that they are in range. What it can not tell, resolve does.
type based interface {
	space
	base(w *Wave, size uint64, write bool) (base uint64, off *alu.Lanes, shape uint8)
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
		if w.Exec() != alu.Full {
			each(w)
			return
		}
		base, off, shape := b.base(w, t.bytes, false)
		if shape == memory.Shapeless {
			each(w)
			return
		}
		t.gather(w, d, off, base, shape)
	}
}

// gather loads words of all lanes. The offsets may be in one of the registers that are loaded.
func (t width) gather(w *Wave, d registers, off *alu.Lanes, base uint64, shape uint8) {
	words := int(t.bytes / 4)
	base += uint64(off[0])
	switch shape {
	case memory.InOne:
		for n := range words {
			d.of(w, n).Fill(memory.Load32(base + uint64(n)*4))
		}
		return
	case memory.InRow:
		for n := range words {
			memory.TakeRow(d.of(w, n), memory.Row32(base+uint64(n)*4), alu.Full)
		}
		return
	}
	base -= uint64(off[0])
	to := d.all(w, words)
	for n := range to {
		if words > 1 && &to[n] == off {
			w.old = *off
			off = &w.old
		}
	}
	if memory.GatherTogether(to, off, base) {
		return
	}
	for n := range to {
		memory.GatherAt(&to[n], off, base+uint64(n)*4)
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
		if w.Exec() != alu.Full {
			each(w)
			return
		}
		base, off, shape := b.base(w, t.bytes, true)
		if shape == memory.Shapeless {
			each(w)
			return
		}
		t.scatter(w, from, off, base, shape)
	}
}

func (t width) scatter(w *Wave, from registers, off *alu.Lanes, base uint64, shape uint8) {
	if shape == memory.InRow && t.bytes == 4 {
		memory.TakeRow(memory.Row32(base+uint64(off[0])), from.of(w, 0), alu.Full)
		return
	}
	for n := uint64(0); n < t.bytes/4; n++ {
		memory.ScatterAt(from.of(w, int(n)), off, base+n*4)
	}
}
