package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// comparisonWide makes a meaning of a whole-wave comparison of operands of 64 bits.
func comparisonWide(k alu.WideTester, how variant, t alu.Kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, alu.None, t, t)
		to, flip, exchange := maskOut(i), how.flip(), how&swapped != 0
		step := func(w *Wave) {
			al, ah := v.src[0].halves(w, &w.tmp[0])
			bl, bh := v.src[1].halves(w, &w.tmp[1])
			if exchange {
				al, ah, bl, bh = bl, bh, al, ah
			}
			how.conclude(w, to, (k(al, ah, bl, bh)^flip)&v.active(w))
		}
		if how&toExec != 0 {
			return step
		}
		return v.runsTest(step, k, exchange, flip, to)
	}
}
