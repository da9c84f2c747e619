package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Bitop3 makes a meaning of any function of three bits: bit n of its table is the
// result for the bits of n, the first source's the highest.
func Bitop3(t alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, t, t, t, t)
		if t.Short() {
			v.Preserve = true
			v.seal()
		}
		return v.step3(alu.TruthTable(uint8(i.Extra)))
	}
}
