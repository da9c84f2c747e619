package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// bindSecond binds a pair of instructions: both read before either writes. Their
// destinations differ.
func bindSecond(i *encoding.Inst, modes bool) encoding.Step {
	first := *i
	first.Second = nil
	x, y := Bind(&first, modes), Bind(i.Second, modes)
	if x == nil || y == nil {
		return nil
	}
	switch dx, dy := int(i.Dst.Reg), int(i.Second.Dst.Reg); {
	case !i.Second.ReadsVector(dx):
		return func(w *wave.Wave) { x(w); y(w) }
	case !first.ReadsVector(dy):
		return func(w *wave.Wave) { y(w); x(w) }
	default:
		return func(w *wave.Wave) {
			before := w.V[dx]
			x(w)
			result := w.V[dx]
			w.V[dx] = before
			y(w)
			w.V[dx] = result
		}
	}
}
