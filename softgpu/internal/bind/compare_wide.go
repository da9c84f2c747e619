package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// ComparisonWide makes a meaning of a whole-wave comparison of operands of 64 bits.
func ComparisonWide(k alu.WideTester, how Variant, t alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, alu.None, t, t)
		to, flip, exchange := maskOut(i), how.flip(), how&Swapped != 0
		step := func(w *wave.Wave) {
			al, ah := v.src[0].halves(w, &w.Temp[0])
			bl, bh := v.src[1].halves(w, &w.Temp[1])
			if exchange {
				al, ah, bl, bh = bl, bh, al, ah
			}
			how.conclude(w, to, (k(al, ah, bl, bh)^flip)&v.active(w))
		}
		if how&ToExec != 0 {
			p, ok := v.plainWide()
			return v.runsTestToExec(step, k, &p, ok, exchange, flip, to)
		}
		return v.runsTest(step, k, exchange, flip, to)
	}
}
