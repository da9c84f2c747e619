package gcn

import "github.com/mgpu-runtime/mgpu/softgpu/internal/alu"

func picksF32(k alu.TempKernel3) Meaning { return waveTemp(k, alu.F32, alu.F32, alu.F32, alu.F32) }

// preserveTemp is preserve for a kernel that needs temporaries.
func preserveTemp(k alu.TempKernel3, d, a, b, c alu.Kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, d, a, b, c)
		v.preserve = true
		v.seal()
		return v.stepTemp(k)
	}
}

// picksF16, picksI16 and picksU16 leave the other half of the destination alone.
func picksF16(k alu.TempKernel3) Meaning { return preserveTemp(k, alu.F16, alu.F16, alu.F16, alu.F16) }
func picksI16(k alu.TempKernel3) Meaning { return preserveTemp(k, alu.I16, alu.I16, alu.I16, alu.I16) }
func picksU16(k alu.TempKernel3) Meaning {
	return preserveTemp(alu.LowWords(k), alu.U16, alu.U16, alu.U16, alu.U16)
}

func picksPairs(k alu.TempKernel3) Meaning {
	return func(i *Inst) Step { return bindPacked(i, alu.Pf16, 3).stepTemp(k) }
}
