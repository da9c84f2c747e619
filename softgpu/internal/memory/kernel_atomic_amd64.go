package memory

import (
	"math"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// replaceRow is portableReplaceRow with four words at a time where they are aligned.
func replaceRow(addr uint64, before, after *alu.Lanes, l, lanes int) int {
	if vectors { // these processors have CMPXCHG16B
		return avxReplaceRow(addr, before, after, l, lanes)
	}
	return portableReplaceRow(addr, before, after, l, lanes)
}

// copyLanes copies the first lanes, 32 or 64. It moves vectors as kernels do: a processor is slow to load what has just
// been stored in other pieces.
func copyLanes(d, s *alu.Lanes, lanes int) {
	if vectors {
		avxCopy(d, s, lanes)
	} else {
		portableCopy(d, s, lanes)
	}
}

//go:noescape
func avxCopy(d, s *alu.Lanes, lanes int)

//go:noescape
func avxReplaceRow(addr uint64, before, after *alu.Lanes, l, lanes int) int

//go:noescape
func totalAdd(data *alu.Lanes, lanes int) uint32

//go:noescape
func totalAnd(data *alu.Lanes, lanes int) uint32

//go:noescape
func totalOr(data *alu.Lanes, lanes int) uint32

//go:noescape
func totalXor(data *alu.Lanes, lanes int) uint32

//go:noescape
func totalUmin(data *alu.Lanes, lanes int) uint32

//go:noescape
func totalUmax(data *alu.Lanes, lanes int) uint32

//go:noescape
func totalSmin(data *alu.Lanes, lanes int) uint32

//go:noescape
func totalSmax(data *alu.Lanes, lanes int) uint32

//go:noescape
func eachAdd(before *alu.Pair, data *alu.Lanes, was, identity uint32, lanes int)

//go:noescape
func eachAnd(before *alu.Pair, data *alu.Lanes, was, identity uint32, lanes int)

//go:noescape
func eachOr(before *alu.Pair, data *alu.Lanes, was, identity uint32, lanes int)

//go:noescape
func eachXor(before *alu.Pair, data *alu.Lanes, was, identity uint32, lanes int)

//go:noescape
func eachUmin(before *alu.Pair, data *alu.Lanes, was, identity uint32, lanes int)

//go:noescape
func eachUmax(before *alu.Pair, data *alu.Lanes, was, identity uint32, lanes int)

//go:noescape
func eachSmin(before *alu.Pair, data *alu.Lanes, was, identity uint32, lanes int)

//go:noescape
func eachSmax(before *alu.Pair, data *alu.Lanes, was, identity uint32, lanes int)

var (
	foldAdd  = foldIf(vectors, Fold{totalAdd, eachAdd, 0})
	foldAnd  = foldIf(vectors, Fold{totalAnd, eachAnd, math.MaxUint32})
	foldOr   = foldIf(vectors, Fold{totalOr, eachOr, 0})
	foldXor  = foldIf(vectors, Fold{totalXor, eachXor, 0})
	foldUmin = foldIf(vectors, Fold{totalUmin, eachUmin, math.MaxUint32})
	foldUmax = foldIf(vectors, Fold{totalUmax, eachUmax, 0})
	foldSmin = foldIf(vectors, Fold{totalSmin, eachSmin, math.MaxInt32})
	foldSmax = foldIf(vectors, Fold{totalSmax, eachSmax, 1 << 31})
)

func foldIf(fast bool, f Fold) *Fold {
	if fast {
		return &f
	}
	return nil
}
