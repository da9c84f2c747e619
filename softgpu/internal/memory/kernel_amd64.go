package memory

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// vectors reports whether kernels on memory use the processor's vectors; for assembly.
var vectors = alu.HasAVX2

// GatherWords loads a word for each of the first lanes, 32 or 64, step bytes after its address, which has been checked.
//
//go:noescape
func GatherWords(d *alu.Lanes, addr *[64]uint64, step uint64, lanes int)

// ScatterWords stores a word for each of the first lanes, step bytes after its address, which has been checked.
//
//go:noescape
func ScatterWords(s *alu.Lanes, addr *[64]uint64, step uint64, lanes int)

//go:noescape
func avxSpan(lo, hi *alu.Lanes, lanes int) (low, high uint32, shape uint8)

// SpanOf returns the least and the greatest of the first lanes of lo, if those of hi are all the same, and their shape.
func SpanOf(lo, hi *alu.Lanes, lanes int) (low, high uint32, shape uint8) {
	if vectors {
		return avxSpan(lo, hi, lanes)
	}
	return portableSpan(lo, hi, lanes)
}

// GatherAt loads a word for each of the first lanes, from base plus its offset.
//
//go:noescape
func GatherAt(d, off *alu.Lanes, base uint64, lanes int)

// avxGatherFour loads four words for each lane into consecutive registers.
//
//go:noescape
func avxGatherFour(d *[4]alu.Lanes, off *alu.Lanes, base uint64, lanes int)

//go:noescape
func avxGatherTwo(d *[2]alu.Lanes, off *alu.Lanes, base uint64, lanes int)

// ScatterAt stores a word for each of the first lanes, at base plus its offset.
//
//go:noescape
func ScatterAt(s, off *alu.Lanes, base uint64, lanes int)

// GatherTogether loads two or four words for each of the first lanes, if there is a fast way.
func GatherTogether(d []alu.Lanes, off *alu.Lanes, base uint64, lanes int) bool {
	switch {
	case !vectors:
		return false
	case len(d) == 4:
		avxGatherFour((*[4]alu.Lanes)(d), off, base, lanes)
		return true
	case len(d) == 2:
		avxGatherTwo((*[2]alu.Lanes)(d), off, base, lanes)
		return true
	}
	return false
}
