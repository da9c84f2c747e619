package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsVINTRP are the interpolation instructions.
var rowsVINTRP = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "v_interp_p1_f32", Form: &vintrp, Do: nil, Chips: encoding.ToGfx908},
		{Op: 0x01, Name: "v_interp_p2_f32", Form: &vintrp, Do: nil, Chips: encoding.ToGfx908},
		{Op: 0x02, Name: "v_interp_mov_f32", Form: &vintrpMov, Do: nil, Chips: encoding.ToGfx908},
	}
})
