package gcn

import (
	"math/bits"
)

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

// atomicWrap takes the first source away from what is as large, and adds the second to what is not.
func atomicWrap(old, second, first uint64) uint64 {
	if old >= first {
		return old - first
	}
	return old + second
}

func atomicCmpswap(old, data, cmp uint64) uint64 {
	if old == cmp {
		return data
	}
	return old
}

func atomicAddF32(old, data, _ uint64) uint64 {
	return singleOf(float(uint32(old))+float(uint32(data)), old, data, 0)
}

func atomicAddF64(old, data, _ uint64) uint64 {
	return doubleOf(double(old)+double(data), old, data, 0)
}

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
