package gcn

import (
	"math"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

func sccNonzero(f func(a, b uint32) uint32) func(*Wave, uint32, uint32) uint32 {
	return func(w *Wave, a, b uint32) uint32 {
		r := f(a, b)
		w.setSCC(r != 0)
		return r
	}
}

func sccNonzero64(f func(a, b uint64) uint64) func(*Wave, uint64, uint64) uint64 {
	return func(w *Wave, a, b uint64) uint64 {
		r := f(a, b)
		w.setSCC(r != 0)
		return r
	}
}

func sAddU32(w *Wave, a, b uint32) uint32 {
	r, c := bits.Add32(a, b, 0)
	w.SCC = c
	return r
}

func sAddcU32(w *Wave, a, b uint32) uint32 {
	r, c := bits.Add32(a, b, w.SCC)
	w.SCC = c
	return r
}

func sSubU32(w *Wave, a, b uint32) uint32 {
	r, c := bits.Sub32(a, b, 0)
	w.SCC = c
	return r
}

func sSubbU32(w *Wave, a, b uint32) uint32 {
	r, c := bits.Sub32(a, b, w.SCC)
	w.SCC = c
	return r
}

func sAddI32(w *Wave, a, b uint32) uint32 {
	r := a + b
	w.SCC = (a ^ r) & (b ^ r) >> 31
	return r
}

func sSubI32(w *Wave, a, b uint32) uint32 {
	r := a - b
	w.SCC = (a ^ b) & (a ^ r) >> 31
	return r
}

func sMinI32(w *Wave, a, b uint32) uint32 {
	w.setSCC(int32(a) < int32(b))
	return uint32(min(int32(a), int32(b)))
}

func sMaxI32(w *Wave, a, b uint32) uint32 {
	w.setSCC(int32(a) > int32(b))
	return uint32(max(int32(a), int32(b)))
}

func sMinU32(w *Wave, a, b uint32) uint32 {
	w.setSCC(a < b)
	return min(a, b)
}

func sMaxU32(w *Wave, a, b uint32) uint32 {
	w.setSCC(a > b)
	return max(a, b)
}

func sCselect32(w *Wave, a, b uint32) uint32 {
	if w.SCC != 0 {
		return a
	}
	return b
}

func sCselect64(w *Wave, a, b uint64) uint64 {
	if w.SCC != 0 {
		return a
	}
	return b
}

func bfmS32(_ *Wave, a, b uint32) uint32 { return alu.BfmB32(a, b) }
func bfmS64(_ *Wave, a, b uint64) uint64 { return (1<<(a&63) - 1) << (b & 63) }

func sMulI32(_ *Wave, a, b uint32) uint32 { return a * b }
func sMulHiU32(_ *Wave, a, b uint32) uint32 {
	return uint32(uint64(a) * uint64(b) >> 32)
}
func sMulHiI32(_ *Wave, a, b uint32) uint32 {
	return uint32(int64(int32(a)) * int64(int32(b)) >> 32)
}

// sLshlAdd shifts by n and adds; SCC tells whether the sum needs more than 32 bits.
func sLshlAdd(n uint) func(w *Wave, a, b uint32) uint32 {
	return func(w *Wave, a, b uint32) uint32 {
		s := uint64(a)<<n + uint64(b)
		w.setSCC(s > math.MaxUint32)
		return uint32(s)
	}
}

func sPackLL(_ *Wave, a, b uint32) uint32 { return a&0xffff | b<<16 }
func sPackLH(_ *Wave, a, b uint32) uint32 { return a&0xffff | b&^0xffff }
func sPackHH(_ *Wave, a, b uint32) uint32 { return a>>16 | b&^0xffff }
