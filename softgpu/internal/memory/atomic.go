package memory

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// AtomicFunc computes the new value of memory from the old one and the instruction's data. For compare-and-swap, cmp is
// the value that old must have.
type AtomicFunc func(old, data, cmp uint64) uint64

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

// nextWrap subtracts the first source if the value is at least as large, and otherwise adds the second.
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

// NextAddF32 computes ds_add_f32 and ds_add_rtn_f32.
func NextAddF32(old, data, _ uint64) uint64 {
	return alu.SingleOf(alu.Float(uint32(old))+alu.Float(uint32(data)), old, data, 0)
}

func nextAddF64(old, data, _ uint64) uint64 {
	return alu.DoubleOf(alu.Double(old)+alu.Double(data), old, data, 0)
}

func nextCmpswapF32(old, data, cmp uint64) uint64 {
	if alu.Float(uint32(old)) == alu.Float(uint32(cmp)) {
		return data
	}
	return old
}

func nextCmpswapF64(old, data, cmp uint64) uint64 {
	if alu.Double(old) == alu.Double(cmp) {
		return data
	}
	return old
}

// AtomicOp is the operation of an atomic.
type AtomicOp struct {
	Next AtomicFunc
	// Words is the same for a word of each of the first lanes, with data in one register, in memory that no other wave
	// writes meanwhile. nil: use Next.
	Words func(old, off, data *alu.Lanes, base uint64, lanes int)
	// Row is the same for 64 words in a row, of which it makes the new ones. nil: Words has to do.
	Row alu.Kernel2
	// Fold is the same for one word that all lanes update. nil: the operation is not associative, or there is no fast
	// way.
	Fold *Fold
}

// A Fold is an associative operation on the data of the first lanes, 32 or 64.
type Fold struct {
	// Total is what the lanes come to together.
	Total func(data *alu.Lanes, lanes int) uint32
	// Each makes what each lane finds in a word that holds was before, lane after lane, and after the last one.
	Each     func(before *alu.Pair, data *alu.Lanes, was, identity uint32, lanes int)
	Identity uint32
}

// The operations of atomic instructions, with the instructions' names.
var (
	AtomicSwap = &AtomicOp{nextSwap, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(_, d uint32) uint32 { return d })
	}, func(d, _, data *alu.Lanes) { *d = *data }, nil}
	AtomicAdd = &AtomicOp{nextAdd, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 { return o + d })
	}, alu.AddU32, foldAdd}
	AtomicSub = &AtomicOp{nextSub, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 { return o - d })
	}, alu.SubU32, nil}
	AtomicAnd = &AtomicOp{nextAnd, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 { return o & d })
	}, alu.AndB32, foldAnd}
	AtomicOr = &AtomicOp{nextOr, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 { return o | d })
	}, alu.OrB32, foldOr}
	AtomicXor = &AtomicOp{nextXor, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 { return o ^ d })
	}, alu.XorB32, foldXor}
	AtomicUmin = &AtomicOp{nextUmin, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 { return min(o, d) })
	}, alu.MinU32, foldUmin}
	AtomicUmax = &AtomicOp{nextUmax, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 { return max(o, d) })
	}, alu.MaxU32, foldUmax}
	AtomicSmin32 = &AtomicOp{nextSmin32, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 { return uint32(min(int32(o), int32(d))) })
	}, alu.MinI32, foldSmin}
	AtomicSmax32 = &AtomicOp{nextSmax32, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 { return uint32(max(int32(o), int32(d))) })
	}, alu.MaxI32, foldSmax}
	AtomicAddF32 = &AtomicOp{NextAddF32, func(old, off, data *alu.Lanes, base uint64, lanes int) {
		eachWord(old, off, data, base, lanes, func(o, d uint32) uint32 {
			if r := alu.Float(o) + alu.Float(d); r == r {
				return uint32(alu.FromSingle(r))
			}
			return uint32(NextAddF32(uint64(o), uint64(d), 0))
		})
	}, alu.AddF32, nil}

	AtomicRsub       = &AtomicOp{Next: nextRsub}
	AtomicSmin64     = &AtomicOp{Next: nextSmin64}
	AtomicSmax64     = &AtomicOp{Next: nextSmax64}
	AtomicInc        = &AtomicOp{Next: nextInc}
	AtomicDec        = &AtomicOp{Next: nextDec}
	AtomicWrap       = &AtomicOp{Next: nextWrap}
	AtomicMaskOr     = &AtomicOp{Next: nextMaskOr}
	AtomicCmpswap    = &AtomicOp{Next: nextCmpswap}
	AtomicCmpswapF32 = &AtomicOp{Next: nextCmpswapF32}
	AtomicCmpswapF64 = &AtomicOp{Next: nextCmpswapF64}
	AtomicAddF64     = &AtomicOp{Next: nextAddF64}
	AtomicMinF32     = &AtomicOp{Next: alu.OrderF32.Least}
	AtomicMaxF32     = &AtomicOp{Next: alu.OrderF32.Most}
	AtomicMinF64     = &AtomicOp{Next: alu.OrderF64.Least}
	AtomicMaxF64     = &AtomicOp{Next: alu.OrderF64.Most}
	AtomicPkAddF16   = &AtomicOp{Next: nextPkAddF16}
	AtomicPkAddBF16  = &AtomicOp{Next: nextPkAddBf16}
	AtomicArrive     = &AtomicOp{Next: NextArrive}
)

// Aligned reports whether words of size bytes that are off after base are aligned.
func Aligned(off *alu.Lanes, base uint64, shape uint8, lanes int, size uint64) bool {
	all := base + uint64(off[0])
	if shape == anyhow || size != 4 && shape == InRow {
		for _, o := range off[:lanes] {
			all |= base + uint64(o)
		}
	}
	return all&(size-1) == 0
}

// UnalignedAtomic is the fault of an atomic access that is not aligned.
const UnalignedAtomic = "atomic access to an address that is not aligned"

// nextMaskOr clears the bits of the first data source and sets those of the second.
func nextMaskOr(old, set, mask uint64) uint64 { return old&^mask | set }

// NextArrive computes so many arrivals at a barrier in LDS, of GFX12.5. Its bits 28:0 are pending arrivals, 31:29 its
// phase, and 47:32 the arrivals that are pending when a phase begins. An arrival when none is pending ends the phase.
func NextArrive(state, arrivals, _ uint64) uint64 {
	const width = 29
	pending, phase, reload := state&(1<<width-1), state>>width&7, state>>32&0xffff
	if arrivals <= pending {
		return state - arrivals
	}
	arrivals -= pending + 1
	phase -= 1 + arrivals/(reload+1)
	return state&^(1<<32-1) | phase&7<<width | (reload - arrivals%(reload+1))
}
