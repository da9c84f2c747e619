package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Denormals of div_fmas' operands, and of div_fixup's quotient, are not flushed in
// any mode: measured on gfx1100 and gfx1201.

func bindFmas(i *encoding.Inst, k alu.Kind) *valu {
	v := bindVector(i, k, k, k, k)
	for n := range v.src {
		v.src[n].denorm = 0
	}
	return v
}

// BindFixup binds v_div_fixup of any format.
func BindFixup(i *encoding.Inst, k alu.Kind) *valu {
	v := bindVector(i, k, k, k, k)
	v.src[0].denorm, v.denorm = 0, 0
	return v
}
