package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// How a comparison derives from a kernel: with operands exchanged, with the
// result inverted, with EXEC written as well.
type variant uint8

// The variants of a comparison.
const (
	swapped variant = 1 << iota
	inverted
	toExec
)

// flip returns what a kernel's result is to be combined with.
func (how variant) flip() uint64 {
	if how&inverted != 0 {
		return alu.Full
	}
	return 0
}

// conclude writes the lanes that passed to a mask.
func (how variant) conclude(w *Wave, to mask, passed uint64) {
	to.set(w, passed)
	if how&toExec != 0 {
		w.SetExec(passed)
	}
}

// comparison makes a meaning of a whole-wave comparison of operands of at most 32 bits.
func comparison(k alu.Tester, how variant, t alu.Kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, alu.None, t, t)
		to, flip, exchange := maskOut(i), how.flip(), how&swapped != 0
		slow := func(w *Wave) {
			a, b := v.src[0].lanes(w, &w.tmp[0]), v.src[1].lanes(w, &w.tmp[1])
			if exchange {
				a, b = b, a
			}
			how.conclude(w, to, (k(a, b)^flip)&v.active(w))
		}
		if how&toExec != 0 {
			return slow
		}
		return v.plainTest(k, exchange, flip, to, slow)
	}
}

// classTest makes a meaning of a test of a number for classes. Denormals stay what
// they are, whatever MODE says.
func classTest(k alu.ClassTester, how variant, a, b alu.Kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, alu.None, a, b)
		to := maskOut(i)
		v.src[0].denorm, v.src[1].denorm = 0, 0
		return func(w *Wave) {
			al, ah := v.src[0].halves(w, &w.tmp[0])
			bl, _ := v.src[1].halves(w, &w.tmp[1])
			how.conclude(w, to, k(al, ah, bl)&v.active(w))
		}
	}
}
