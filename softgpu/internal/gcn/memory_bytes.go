package gcn

import (
	"encoding/binary"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// loadBytes is load for lanes whose bytes lie apart; w.addr holds offsets.
func (t width) loadBytes(w *Wave, s swizzledSpace, d registers, m, zero uint64) {
	offsets := w.addr
	for k := m | zero; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		var data [16]byte
		for n := uint64(0); n < t.bytes && m>>uint(l)&1 != 0; n++ {
			addr := s.byteAt(w, l, offsets[l]+n)
			if !w.reach(addr, 1, false) {
				w.failAccess(l, addr, false)
				return
			}
			data[n] = byte(memory.Load8(addr))
		}
		if t.bytes < 4 {
			to := d.of(w, 0)
			to[l] = t.fill(to[l], binary.LittleEndian.Uint32(data[:]))
			continue
		}
		for n := 0; n < int(t.bytes/4); n++ {
			d.of(w, n)[l] = binary.LittleEndian.Uint32(data[4*n:])
		}
	}
}

// storeBytes is store for lanes whose bytes lie apart.
func (t width) storeBytes(w *Wave, s swizzledSpace, from registers, m uint64) {
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		var data [16]byte
		for n := 0; n < int(t.bytes+3)/4; n++ {
			v := from.of(w, n)[l]
			if t.high {
				v >>= 16
			}
			binary.LittleEndian.PutUint32(data[4*n:], v)
		}
		for n := uint64(0); n < t.bytes; n++ {
			addr := s.byteAt(w, l, w.addr[l]+n)
			if !w.reach(addr, 1, true) {
				w.failAccess(l, addr, true)
				return
			}
			memory.Store8(addr, uint32(data[n]))
		}
	}
}
