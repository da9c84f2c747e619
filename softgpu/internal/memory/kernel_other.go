//go:build !amd64

package memory

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// GatherWords loads a word for each of the first lanes, step bytes after its address, which has been checked.
func GatherWords(d *alu.Lanes, addr *[64]uint64, step uint64, lanes int) {
	portableGather(d, addr, step, lanes)
}

// ScatterWords stores a word for each of the first lanes, step bytes after its address, which has been checked.
func ScatterWords(s *alu.Lanes, addr *[64]uint64, step uint64, lanes int) {
	portableScatter(s, addr, step, lanes)
}

// SpanOf returns the least and the greatest of the first lanes of lo, if those of hi are all the same, and their shape.
func SpanOf(lo, hi *alu.Lanes, lanes int) (low, high uint32, shape uint8) {
	return portableSpan(lo, hi, lanes)
}

// GatherAt loads a word for each of the first lanes, from base plus its offset.
func GatherAt(d, off *alu.Lanes, base uint64, lanes int) { portableGatherAt(d, off, base, lanes) }

// ScatterAt stores a word for each of the first lanes, at base plus its offset.
func ScatterAt(s, off *alu.Lanes, base uint64, lanes int) { portableScatterAt(s, off, base, lanes) }

// GatherTogether loads two or four words for each of the first lanes, if there is a fast way.
func GatherTogether(d []alu.Lanes, off *alu.Lanes, base uint64, lanes int) bool { return false }

func replaceRow(addr uint64, before, after *alu.Lanes, l, lanes int) int {
	return portableReplaceRow(addr, before, after, l, lanes)
}

var foldAdd, foldAnd, foldOr, foldXor, foldUmin, foldUmax, foldSmin, foldSmax *Fold

func copyLanes(d, s *alu.Lanes, lanes int) { portableCopy(d, s, lanes) }
