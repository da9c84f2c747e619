package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// How a comparison derives from a kernel: with operands exchanged, with the
// result inverted, with EXEC written as well.
type Variant uint8

// The variants of a comparison.
const (
	Swapped Variant = 1 << iota
	Inverted
	ToExec
)

// flip returns the mask with which a kernel's result is combined.
func (how Variant) flip() uint64 {
	if how&Inverted != 0 {
		return alu.Full
	}
	return 0
}

// conclude writes the lanes that passed to a mask.
func (how Variant) conclude(w *wave.Wave, to mask, passed uint64) {
	to.set(w, passed)
	if how&ToExec != 0 {
		w.SetExec(passed)
	}
}

// Comparison makes a meaning of a whole-wave comparison of operands of at most 32 bits.
func Comparison(k alu.Tester, how Variant, t alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, alu.None, t, t)
		to, flip, exchange := maskOut(i), how.flip(), how&Swapped != 0
		slow := func(w *wave.Wave) {
			a, b := v.src[0].lanes(w, &w.Temp[0]), v.src[1].lanes(w, &w.Temp[1])
			if exchange {
				a, b = b, a
			}
			how.conclude(w, to, (k(a, b)^flip)&v.active(w))
		}
		if how&ToExec != 0 {
			p, ok := v.plain()
			return v.runsTestToExec(slow, k, &p, ok, exchange, flip, to)
		}
		return v.plainTest(k, exchange, flip, to, slow)
	}
}

// ClassTest makes a meaning of a test of a number for classes. Denormals are not
// flushed, whatever MODE says.
func ClassTest(k alu.ClassTester, how Variant, a, b alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, alu.None, a, b)
		to := maskOut(i)
		v.src[0].denorm, v.src[1].denorm = 0, 0
		return func(w *wave.Wave) {
			al, ah := v.src[0].halves(w, &w.Temp[0])
			bl, _ := v.src[1].halves(w, &w.Temp[1])
			how.conclude(w, to, k(al, ah, bl)&v.active(w))
		}
	}
}
