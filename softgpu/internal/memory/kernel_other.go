//go:build !amd64

package memory

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// GatherWords loads a word for each lane, step bytes past its address, which has been checked.
func GatherWords(d *alu.Lanes, addr *[64]uint64, step uint64) { portableGather(d, addr, step) }

// ScatterWords stores a word for each lane, step bytes past its address, which has been checked.
func ScatterWords(s *alu.Lanes, addr *[64]uint64, step uint64) { portableScatter(s, addr, step) }

// SpanOf returns the least and the greatest of lo, where all of hi are the same, and their shape.
func SpanOf(lo, hi *alu.Lanes) (low, high uint32, shape uint8) { return portableSpan(lo, hi) }

// GatherAt loads a word for each lane, from base plus its offset.
func GatherAt(d, off *alu.Lanes, base uint64) { portableGatherAt(d, off, base) }

// ScatterAt stores a word for each lane, at base plus its offset.
func ScatterAt(s, off *alu.Lanes, base uint64) { portableScatterAt(s, off, base) }

// GatherTogether loads two or four words for each lane, if there is a fast way.
func GatherTogether(d []alu.Lanes, off *alu.Lanes, base uint64) bool { return false }
