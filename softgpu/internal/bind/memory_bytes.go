package bind

import (
	"encoding/binary"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// loadBytes loads for lanes with separate addresses; w.addr holds offsets.
func (t width) loadBytes(w *wave.Wave, s wave.SwizzledSpace, d wave.Registers, m, zero uint64) {
	offsets := w.Addr
	for k := m | zero; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		var data [16]byte
		for n := uint64(0); n < t.bytes && m>>uint(l)&1 != 0; n++ {
			addr := s.ByteAt(w, l, offsets[l]+n)
			if !w.Reach(addr, 1, false) {
				w.FailAccess(l, addr, false)
				return
			}
			data[n] = byte(memory.Load8(addr))
		}
		if t.bytes < 4 {
			to := d.Of(w, 0)
			to[l] = t.fill(to[l], binary.LittleEndian.Uint32(data[:]))
			continue
		}
		for n := 0; n < int(t.bytes/4); n++ {
			d.Of(w, n)[l] = binary.LittleEndian.Uint32(data[4*n:])
		}
	}
}

// storeBytes stores for lanes with separate addresses.
func (t width) storeBytes(w *wave.Wave, s wave.SwizzledSpace, from wave.Registers, m uint64) {
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		var data [16]byte
		for n := 0; n < int(t.bytes+3)/4; n++ {
			v := from.Of(w, n)[l]
			if t.high {
				v >>= 16
			}
			binary.LittleEndian.PutUint32(data[4*n:], v)
		}
		for n := uint64(0); n < t.bytes; n++ {
			addr := s.ByteAt(w, l, w.Addr[l]+n)
			if !w.Reach(addr, 1, true) {
				w.FailAccess(l, addr, true)
				return
			}
			memory.Store8(addr, uint32(data[n]))
		}
	}
}
