package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// ScalarValues binds the sources of a scalar instruction, of kind k, and with old its destination
// after them: values reads count of them into a wave's first scalar registers.
func ScalarValues(i *encoding.Inst, k alu.Kind, old bool) (values func(w, into *wave.Wave), count int) {
	var from []scalar
	for n := range i.Src {
		if i.Src[n].Kind != encoding.NoOperand {
			from = append(from, bindScalar(&i.Src[n], k))
		}
	}
	if old {
		from = append(from, bindScalar(&i.Dst, k))
	}
	return func(w, into *wave.Wave) {
		for n := range from {
			into.S[n] = from[n].U32(w)
		}
	}, len(from)
}

// OnOneLane makes a scalar instruction's step of a vector instruction's, which runs on one lane
// of a wave of its own, with v0 as destination: a comparison's result is SCC.
func OnOneLane(i *encoding.Inst, step encoding.Step, values func(w, into *wave.Wave)) encoding.Step {
	compares, d := i.Dst.Kind == encoding.NoOperand, i.Dst.Reg&wave.AllScalars
	return func(w *wave.Wave) {
		if w.Single == nil {
			w.Single = &wave.Wave{V: make([]alu.Lanes, 2)}
			w.Single.SetExec(1)
		}
		t := w.Single
		t.Mode, t.V[0][0], t.V[1][0] = w.Mode, 0, 0
		values(w, t)
		step(t)
		if compares {
			w.SCC = t.S[wave.VccLo] & 1
		} else {
			w.S[d] = t.V[0][0]
		}
	}
}
