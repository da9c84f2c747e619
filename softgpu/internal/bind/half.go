package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// BinaryF16 and TernaryF16 make meanings of kernels on low halves.

// BinaryF16 binds v_add_f16 and its like.
func BinaryF16(k alu.Kernel2) encoding.Meaning { return Wave2(k, alu.F16, alu.F16, alu.F16) }

// TernaryF16 binds v_fma_legacy_f16.
func TernaryF16(k alu.Kernel3) encoding.Meaning { return Wave3(k, alu.F16, alu.F16, alu.F16, alu.F16) }

// PairsF16x2 binds v_pk_max_f16 and its like.
func PairsF16x2(k alu.Kernel2) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pf16, 2).step2(k) }
}

// PairsF16x3 binds v_pk_fma_f16 and v_pk_fmac_f16.
func PairsF16x3(k alu.Kernel3) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step { return bindPacked(i, alu.Pf16, 3).step3(k) }
}
