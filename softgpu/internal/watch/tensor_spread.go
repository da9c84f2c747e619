package watch

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// tensorSpread is the memory and the LDS of a copy of a tensor, and the barrier at which it arrives. A descriptor that
// can't be executed accesses nothing.
type tensorSpread struct{ *bind.TensorCopy }

func (s *tensorSpread) lanes(*wave.Wave, *wave.Access) {}

func (s *tensorSpread) each(w *wave.Wave, a *wave.Access, f func() bool) bool {
	t, wrong := s.Describe(w)
	if wrong != "" {
		return true
	}
	global := *a
	more := true
	see := func(segment wave.Segment, op wave.Operation, at, size uint64) bool {
		a.Touch, a.Segment, a.Op, a.Arrives = global.Touch, segment, op, op == wave.Updates
		a.Lanes, a.At[0], a.Size = 1, at, size
		more = f()
		return more
	}
	inLDS := wave.Writes
	if s.Store {
		inLDS = wave.Reads
	}
	t.Each(func(p bind.TensorPiece) bool {
		if p.Inside && !see(wave.Global, global.Op, p.Global, p.Size) {
			return false
		}
		return s.Store && !p.Inside || see(wave.Workgroup, inLDS, p.LDS, p.Size)
	})
	return more && (t.Barrier == bind.NoBarrier || see(wave.Workgroup, wave.Updates, t.Barrier, 8))
}
