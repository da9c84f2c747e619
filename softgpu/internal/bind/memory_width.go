package bind

import (
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// width tells how much of memory a load or store moves, and how it fills a register.
type width struct {
	bytes  uint64
	signed bool
	d16    bool // it is about half of a register
	high   bool // the upper half of the register is meant
	clears bool // a load clears the other half
}

var (
	// Ubyte is the width of ds_read_u8 and its like.
	Ubyte = width{bytes: 1}
	// Sbyte is the width of ds_read_i8 and its like.
	Sbyte = width{bytes: 1, signed: true}
	// Ushort is the width of ds_read_u16 and its like.
	Ushort = width{bytes: 2}
	// Sshort is the width of ds_read_i16 and its like.
	Sshort = width{bytes: 2, signed: true}
	// Dword is the width of ds_read_b32 and its like.
	Dword = width{bytes: 4}
	// Dwordx2 is the width of ds_read_b64 and its like.
	Dwordx2 = width{bytes: 8}
	// Dwordx3 is the width of ds_read_b96 and its like.
	Dwordx3 = width{bytes: 12}
	// Dwordx4 is the width of ds_read_b128 and its like.
	Dwordx4 = width{bytes: 16}
	// UbyteD16 is the width of ds_read_u8_d16 and its like.
	UbyteD16 = width{bytes: 1, d16: true}
	// SbyteD16 is the width of ds_read_i8_d16 and its like.
	SbyteD16 = width{bytes: 1, signed: true, d16: true}
	// ShortD16 is the width of ds_read_u16_d16 and its like.
	ShortD16 = width{bytes: 2, d16: true}
	// UbyteHigh is the width of ds_read_u8_d16_hi and its like.
	UbyteHigh = width{bytes: 1, d16: true, high: true}
	// SbyteHigh is the width of ds_read_i8_d16_hi and its like.
	SbyteHigh = width{bytes: 1, signed: true, d16: true, high: true}
	// ShortHigh is the width of ds_read_u16_d16_hi and its like.
	ShortHigh = width{bytes: 2, d16: true, high: true}
)

// on is the width of an instruction.
func (t width) on(i *encoding.Inst) width {
	t.clears = t.d16 && i.Clears
	return t
}

// load fills registers from the resolved addresses of the lanes of m; those of zero read 0.
func (t width) load(w *wave.Wave, d wave.Registers, m, zero, step uint64) {
	if t.bytes < 4 {
		t.loadPart(w, d.Of(w, 0), m, zero)
		return
	}
	words, pairs := t.bytes/4, uint64(0)
	if step == memory.Linear {
		pairs = words / 2
	}
	for n := 2 * pairs; n < words; n++ {
		to := d.Of(w, int(n))
		if lanes := alu.FirstLanes(m); lanes != 0 && zero == 0 {
			memory.GatherWords(to, &w.Addr, n*step, lanes)
			continue
		}
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			to[l] = memory.Load32(w.Addr[l] + n*step)
		}
		for k := zero; k != 0; k &= k - 1 {
			to[bits.TrailingZeros64(k)&63] = 0
		}
	}
	for n := 2 * pairs; n > 0; n -= 2 {
		t.loadPair(w, d.Of(w, int(n)-2), d.Of(w, int(n)-1), m, zero, (n-2)*step)
	}
}

// loadPair is load for two words of each lane, off bytes past its address.
func (t width) loadPair(w *wave.Wave, lo, hi *alu.Lanes, m, zero, off uint64) {
	if lanes := alu.FirstLanes(m); lanes != 0 && zero == 0 {
		memory.GatherPairs(lo, hi, &w.Addr, off, lanes)
		return
	}
	for k := m; k != 0; {
		l := 63 - bits.LeadingZeros64(k)&63
		k &^= 1 << uint(l)
		lo[l&63], hi[l&63] = memory.LoadPair(w.Addr[l&63] + off)
	}
	for k := zero; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		lo[l], hi[l] = 0, 0
	}
}

func (t width) loadPart(w *wave.Wave, to *alu.Lanes, m, zero uint64) {
	for k := m | zero; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		var v uint32
		if m>>uint(l)&1 != 0 {
			if t.bytes == 1 {
				v = memory.Load8(w.Addr[l])
			} else {
				v = memory.Load16(w.Addr[l])
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
	if t.clears {
		old = 0
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
func (t width) store(w *wave.Wave, s wave.Registers, m, step uint64) {
	if t.bytes < 4 {
		from := s.Of(w, 0)
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			v := from[l]
			if t.high {
				v >>= 16
			}
			if t.bytes == 1 {
				memory.Store8(w.Addr[l], v)
			} else {
				memory.Store16(w.Addr[l], v)
			}
		}
		return
	}
	words, n := t.bytes/4, uint64(0)
	if step == memory.Linear {
		for ; n+1 < words; n += 2 {
			storePair(w, s.Of(w, int(n)), s.Of(w, int(n)+1), m, n*step)
		}
	}
	if lanes := alu.FirstLanes(m); lanes != 0 {
		for ; n < words; n++ {
			memory.ScatterWords(s.Of(w, int(n)), &w.Addr, n*step, lanes)
		}
		return
	}
	for ; n < words; n++ {
		from := s.Of(w, int(n))
		for k := m; k != 0; k &= k - 1 {
			l := bits.TrailingZeros64(k) & 63
			memory.Store32(w.Addr[l]+n*step, from[l])
		}
	}
}

// storePair is store for two words of each lane, off bytes past its address.
func storePair(w *wave.Wave, lo, hi *alu.Lanes, m, off uint64) {
	if lanes := alu.FirstLanes(m); lanes != 0 {
		memory.ScatterPairs(lo, hi, &w.Addr, off, lanes)
		return
	}
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		memory.StorePair(w.Addr[l]+off, lo[l], hi[l])
	}
}

// A based space can tell that the first lanes' addresses are one base plus 32 bits of
// their own, and that they are in range. What it can not tell, resolve does.
type based interface {
	wave.Space
	base(w *wave.Wave, lanes int, size uint64, write bool) (base uint64, off *alu.Lanes, shape uint8)
}

func stepLoad(s wave.Space, t width, d wave.Registers) encoding.Step {
	each := func(w *wave.Wave) {
		m := w.Exec()
		valid, step := s.Resolve(w, m, t.bytes, false)
		switch {
		case w.Status == wave.Faulted:
		case step == 0:
			t.loadBytes(w, s.(wave.SwizzledSpace), d, valid, m&^valid)
		default:
			t.load(w, d, valid, m&^valid, step)
		}
	}
	b, ok := s.(based)
	if !ok || t.bytes < 4 {
		return each
	}
	return func(w *wave.Wave) {
		lanes := alu.FirstLanes(w.Exec())
		if lanes == 0 {
			each(w)
			return
		}
		base, off, shape := b.base(w, lanes, t.bytes, false)
		if shape == memory.Shapeless {
			each(w)
			return
		}
		t.gather(w, d, off, base, shape, lanes)
	}
}

// gather loads words of the first lanes. The offsets may be in one of the registers that are loaded.
func (t width) gather(w *wave.Wave, d wave.Registers, off *alu.Lanes, base uint64, shape uint8, lanes int) {
	words := int(t.bytes / 4)
	base += uint64(off[0])
	switch shape {
	case memory.InOne:
		if words&1 != 0 {
			words--
			fillFirst(d.Of(w, words), memory.Load32(base+uint64(words)*4), lanes)
		}
		for ; words > 0; words -= 2 {
			lo, hi := memory.LoadPair(base + uint64(words-2)*4)
			fillFirst(d.Of(w, words-2), lo, lanes)
			fillFirst(d.Of(w, words-1), hi, lanes)
		}
		return
	case memory.InRow:
		for n := range words {
			memory.LoadRow(d.Of(w, n), base+uint64(n)*4, lanes)
		}
		return
	}
	base -= uint64(off[0])
	to := d.All(w, words)
	for n := range to {
		if words > 1 && &to[n] == off {
			w.Old = *off
			off = &w.Old
		}
	}
	if memory.GatherTogether(to, off, base, lanes) {
		return
	}
	if words&1 != 0 {
		words--
		memory.GatherAt(&to[words], off, base+uint64(words)*4, lanes)
	}
	for ; words > 0; words -= 2 {
		memory.GatherPairsAt(&to[words-2], &to[words-1], off, base+uint64(words-2)*4, lanes)
	}
}

func fillFirst(d *alu.Lanes, v uint32, lanes int) {
	if lanes == 64 {
		d.Fill(v)
		return
	}
	for l := range d[:lanes] {
		d[l] = v
	}
}

func stepStore(s wave.Space, t width, from wave.Registers) encoding.Step {
	each := func(w *wave.Wave) {
		valid, step := s.Resolve(w, w.Exec(), t.bytes, true)
		switch {
		case valid == 0:
		case step == 0:
			t.storeBytes(w, s.(wave.SwizzledSpace), from, valid)
		default:
			t.store(w, from, valid, step)
		}
	}
	b, ok := s.(based)
	if !ok || t.bytes < 4 {
		return each
	}
	return func(w *wave.Wave) {
		lanes := alu.FirstLanes(w.Exec())
		if lanes == 0 {
			each(w)
			return
		}
		base, off, shape := b.base(w, lanes, t.bytes, true)
		if shape == memory.Shapeless {
			each(w)
			return
		}
		t.scatter(w, from, off, base, shape, lanes)
	}
}

func (t width) scatter(w *wave.Wave, from wave.Registers, off *alu.Lanes, base uint64, shape uint8, lanes int) {
	if shape == memory.InRow && t.bytes == 4 {
		memory.StoreRow(from.Of(w, 0), base+uint64(off[0]), lanes)
		return
	}
	words, n := t.bytes/4, uint64(0)
	for ; n+1 < words; n += 2 {
		memory.ScatterPairsAt(from.Of(w, int(n)), from.Of(w, int(n)+1), off, base+n*4, lanes)
	}
	if n < words {
		memory.ScatterAt(from.Of(w, int(n)), off, base+n*4, lanes)
	}
}
