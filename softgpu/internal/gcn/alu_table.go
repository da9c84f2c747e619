package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

// bitop3 makes a meaning of any function of three bits: bit n of its table is the
// result for the bits of n, the first source's the highest.
func bitop3(t alu.Kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, t, t, t, t)
		if t.Short() {
			v.preserve = true
			v.seal()
		}
		return v.step3(alu.TruthTable(uint8(i.Extra)))
	}
}
