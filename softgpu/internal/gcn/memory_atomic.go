package gcn

import (
	"math/bits"
)

// atomicFunc computes the new value of memory from the old one and the
// instruction's data: for compare-and-swap, cmp is what old must be.
type atomicFunc func(old, data, cmp uint64) uint64

func nextSwap(_, data, _ uint64) uint64     { return data }
func nextAdd(old, data, _ uint64) uint64    { return old + data }
func nextSub(old, data, _ uint64) uint64    { return old - data }
func nextRsub(old, data, _ uint64) uint64   { return data - old }
func nextAnd(old, data, _ uint64) uint64    { return old & data }
func nextOr(old, data, _ uint64) uint64     { return old | data }
func nextXor(old, data, _ uint64) uint64    { return old ^ data }
func nextUmin(old, data, _ uint64) uint64   { return min(old, data) }
func nextUmax(old, data, _ uint64) uint64   { return max(old, data) }
func nextSmin64(old, data, _ uint64) uint64 { return uint64(min(int64(old), int64(data))) }
func nextSmax64(old, data, _ uint64) uint64 { return uint64(max(int64(old), int64(data))) }
func nextSmin32(old, data, _ uint64) uint64 { return uint64(min(int32(old), int32(data))) }
func nextSmax32(old, data, _ uint64) uint64 { return uint64(max(int32(old), int32(data))) }

func nextInc(old, data, _ uint64) uint64 {
	if old >= data {
		return 0
	}
	return old + 1
}

func nextDec(old, data, _ uint64) uint64 {
	if old == 0 || old > data {
		return data
	}
	return old - 1
}

// nextWrap takes the first source away from what is as large, and adds the second to what is not.
func nextWrap(old, second, first uint64) uint64 {
	if old >= first {
		return old - first
	}
	return old + second
}

func nextCmpswap(old, data, cmp uint64) uint64 {
	if old == cmp {
		return data
	}
	return old
}

func nextAddF32(old, data, _ uint64) uint64 {
	return singleOf(float(uint32(old))+float(uint32(data)), old, data, 0)
}

func nextAddF64(old, data, _ uint64) uint64 {
	return doubleOf(double(old)+double(data), old, data, 0)
}

func nextCmpswapF32(old, data, cmp uint64) uint64 {
	if float(uint32(old)) == float(uint32(cmp)) {
		return data
	}
	return old
}

func nextCmpswapF64(old, data, cmp uint64) uint64 {
	if double(old) == double(cmp) {
		return data
	}
	return old
}

// atomicOp is what an atomic does.
type atomicOp struct {
	next atomicFunc
	// words is the same for a word of each lane, with data of one register, in memory that nobody
	// else writes meanwhile. nil: next has to do.
	words func(old, off, data *Lanes, base uint64)
}

// The operations of atomic instructions, named like these.
var (
	atomicSwap = &atomicOp{nextSwap, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(_, d uint32) uint32 { return d })
	}}
	atomicAdd = &atomicOp{nextAdd, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 { return o + d })
	}}
	atomicSub = &atomicOp{nextSub, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 { return o - d })
	}}
	atomicAnd = &atomicOp{nextAnd, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 { return o & d })
	}}
	atomicOr = &atomicOp{nextOr, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 { return o | d })
	}}
	atomicXor = &atomicOp{nextXor, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 { return o ^ d })
	}}
	atomicUmin = &atomicOp{nextUmin, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 { return min(o, d) })
	}}
	atomicUmax = &atomicOp{nextUmax, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 { return max(o, d) })
	}}
	atomicSmin32 = &atomicOp{nextSmin32, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 { return uint32(min(int32(o), int32(d))) })
	}}
	atomicSmax32 = &atomicOp{nextSmax32, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 { return uint32(max(int32(o), int32(d))) })
	}}
	atomicAddF32 = &atomicOp{nextAddF32, func(old, off, data *Lanes, base uint64) {
		eachWord(old, off, data, base, func(o, d uint32) uint32 {
			if r := float(o) + float(d); r == r {
				return uint32(fromSingle(r))
			}
			return uint32(nextAddF32(uint64(o), uint64(d), 0))
		})
	}}

	atomicRsub       = &atomicOp{next: nextRsub}
	atomicSmin64     = &atomicOp{next: nextSmin64}
	atomicSmax64     = &atomicOp{next: nextSmax64}
	atomicInc        = &atomicOp{next: nextInc}
	atomicDec        = &atomicOp{next: nextDec}
	atomicWrap       = &atomicOp{next: nextWrap}
	atomicMaskOr     = &atomicOp{next: nextMaskOr}
	atomicCmpswap    = &atomicOp{next: nextCmpswap}
	atomicCmpswapF32 = &atomicOp{next: nextCmpswapF32}
	atomicCmpswapF64 = &atomicOp{next: nextCmpswapF64}
	atomicAddF64     = &atomicOp{next: nextAddF64}
	atomicMinF32     = &atomicOp{next: orderF32.least}
	atomicMaxF32     = &atomicOp{next: orderF32.most}
	atomicMinF64     = &atomicOp{next: orderF64.least}
	atomicMaxF64     = &atomicOp{next: orderF64.most}
	atomicPkAddF16   = &atomicOp{next: nextPkAddF16}
	atomicPkAddBF16  = &atomicOp{next: nextPkAddBf16}
)

// operands are the registers of an atomic: cmp and result may be missing (count 0).
type operands struct{ data, cmp, result registers }

// stepAtomic updates one word of words (1 or 2) registers for each lane, in the order of lanes.
func stepAtomic(s space, op *atomicOp, words int, o operands) Step {
	each := eachAtomic(s, op.next, words, o)
	b, ok := s.(based)
	if !ok || words != 1 || o.cmp.count != 0 {
		return each
	}
	update := op.words
	if update == nil {
		update = func(old, off, data *Lanes, base uint64) { anyWord(old, off, data, base, op.next) }
	}
	_, local := s.(*ldsSpace)
	return func(w *Wave) {
		if w.Exec() != full {
			each(w)
			return
		}
		base, off, shape := b.base(w, 4, true)
		if shape == shapeless || !aligned(off, base, shape) {
			each(w)
			return
		}
		data, old := o.data.of(w, 0), &w.tmp[3][0]
		if o.result.count != 0 {
			old = o.result.of(w, 0)
		}
		switch {
		case local: // other waves of the workgroup do not run meanwhile
			update(old, off, data, base)
		case shape == inOne:
			updateOne(&w.tmp[3][1], data, &w.tmp[2][1], base+uint64(off[0]), update)
			*old = w.tmp[3][1]
		case shape == inRow && (base+uint64(off[0]))&7 == 0:
			sharedRow(old, data, base+uint64(off[0]), op.next)
		default:
			sharedWord(old, off, data, base, op.next)
		}
	}
}

// aligned tells whether words that are off behind base are.
func aligned(off *Lanes, base uint64, shape uint8) bool {
	all := base + uint64(off[0])
	if shape == anyhow {
		for _, o := range off {
			all |= base + uint64(o)
		}
	}
	return all&3 == 0
}

const unalignedAtomic = "atomic access to an address that is not aligned"

// eachAtomic is stepAtomic for all spaces, operands and lanes.
func eachAtomic(s space, f atomicFunc, words int, o operands) Step {
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
					w.fail(unalignedAtomic, l, w.addr[l])
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

// nextMaskOr clears the bits of the first data source and sets those of the second.
func nextMaskOr(old, set, mask uint64) uint64 { return old&^mask | set }
