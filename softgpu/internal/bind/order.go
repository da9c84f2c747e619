package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// PicksF32 binds v_med3_f32 and its like.
func PicksF32(k alu.TempKernel3) encoding.Meaning {
	return WaveTemp(k, alu.F32, alu.F32, alu.F32, alu.F32)
}

// PreserveTemp is preserve for a kernel that needs temporaries.
func PreserveTemp(k alu.TempKernel3, d, a, b, c alu.Kind) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		v := bindVector(i, d, a, b, c)
		v.Preserve = true
		v.seal()
		return v.stepTemp(k)
	}
}

// PicksF16, PicksI16 and PicksU16 leave the other half of the destination alone.
func PicksF16(k alu.TempKernel3) encoding.Meaning {
	return PreserveTemp(k, alu.F16, alu.F16, alu.F16, alu.F16)
}

// PicksI16 binds v_med3_i16 and its like.
func PicksI16(k alu.TempKernel3) encoding.Meaning {
	return PreserveTemp(k, alu.I16, alu.I16, alu.I16, alu.I16)
}

// PicksU16 binds v_min3_u16 and its like.
func PicksU16(k alu.TempKernel3) encoding.Meaning {
	return PreserveTemp(alu.LowWords(k), alu.U16, alu.U16, alu.U16, alu.U16)
}

// PicksPairs binds v_pk_maximum3_f16 and v_pk_minimum3_f16.
func PicksPairs(k alu.TempKernel3) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pf16, 3).stepTemp(k) }
}
