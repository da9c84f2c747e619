package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// bindSecond binds a pair of instructions. Both read before either writes, and their destinations differ. It stores in
// i.AsPart how the pair executes as parts of a run.
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
	dx, dy, words := int(i.Dst.Reg), int(second.Dst.Reg), int(max(i.Dst.Width, 1))
	switch {
	case !second.ReadsVector(dx, words):
		return inTurn(x, y, &px, &py)
	case !first.ReadsVector(dy, 1):
		return inTurn(y, x, &py, &px)
	case words == 2: // a double
		return func(w *wave.Wave) {
			low, high := w.V[dx], w.V[dx+1]
			x(w)
			low, w.V[dx] = w.V[dx], low
			high, w.V[dx+1] = w.V[dx+1], high
			y(w)
			w.V[dx], w.V[dx+1] = low, high
		}
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
