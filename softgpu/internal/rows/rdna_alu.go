package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// bindSecond binds a pair of instructions: both read before either writes. Their
// destinations differ. It notes in i.AsPart how the pair runs as parts of a run.
func bindSecond(i *encoding.Inst, modes bool) encoding.Step {
	first, second := *i, *i.Second
	first.Second = nil
	var px, py encoding.Part
	if i.AsPart != nil {
		first.AsPart, second.AsPart = &px, &py
	}
	x, y := Bind(&first, modes), Bind(&second, modes)
	if x == nil || y == nil {
		return nil
	}
	inTurn := func(x, y encoding.Step, px, py *encoding.Part) encoding.Step {
		if i.AsPart != nil && runsAs(px, x) && runsAs(py, y) {
			px.Second = py
			*i.AsPart = *px
		}
		return func(w *wave.Wave) { x(w); y(w) }
	}
	switch dx, dy := int(i.Dst.Reg), int(second.Dst.Reg); {
	case !second.ReadsVector(dx):
		return inTurn(x, y, &px, &py)
	case !first.ReadsVector(dy):
		return inTurn(y, x, &py, &px)
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
