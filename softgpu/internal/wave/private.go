package wave

import (
	"fmt"
	"math/bits"
)

// WordRow is the distance between consecutive words of a lane in private memory.
const WordRow = 64 * 4

// Swizzled returns the place of byte off of a lane's private memory.
func Swizzled(base, off uint64, lane int) uint64 {
	return base + off>>2*WordRow + uint64(lane)*4 + off&3
}

// PrivateLanes converts the private offsets in w.addr to addresses, if they are aligned. scratch is the first register
// of flat_scratch.
func (w *Wave) PrivateLanes(scratch int, m, size uint64, write bool) (valid, step uint64) {
	for k := m; k != 0; k &= k - 1 {
		if l := bits.TrailingZeros64(k) & 63; w.Addr[l]&3+min(size, 4) > 4 {
			return m, 0
		}
	}
	base := w.S64(scratch)
	low, high := ^uint64(0), uint64(0)
	for k := m; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		a := Swizzled(base, w.Addr[l], l)
		w.Addr[l] = a
		low, high = min(low, a), max(high, a)
	}
	reach := min(size, 4)
	if size > 4 {
		reach += (size/4 - 1) * WordRow
	}
	if w.Overflows(m, base, high+reach) || !w.ReachLanes(m, low, high, reach, write) {
		return 0, WordRow
	}
	return m, WordRow
}

// Overflows fails an access beyond the end of a wave's scratch memory. base is the beginning of the access's memory;
// other memory is not bounded.
func (w *Wave) Overflows(m, base, end uint64) bool {
	if end <= w.ScratchEnd || w.ScratchEnd == 0 || base != w.ScratchBase || m == 0 {
		return false
	}
	lane := bits.TrailingZeros64(m) & 63
	for k := m; k != 0; k &= k - 1 {
		if l := bits.TrailingZeros64(k) & 63; w.Addr[l] > w.Addr[lane] {
			lane = l
		}
	}
	w.Fail(fmt.Sprintf("stack overflow: a work-item has %d bytes of private memory", (w.ScratchEnd-w.ScratchBase)/64), lane, w.Addr[lane])
	return true
}
