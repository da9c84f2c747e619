package gcn

import "sync"

// rowsVINTRP are the interpolation instructions.
var rowsVINTRP = sync.OnceValue(func() []Row {
	return []Row{
		{Op: 0x00, Name: "v_interp_p1_f32", Form: &vintrp, Do: nil, Chips: ToGfx908},
		{Op: 0x01, Name: "v_interp_p2_f32", Form: &vintrp, Do: nil, Chips: ToGfx908},
		{Op: 0x02, Name: "v_interp_mov_f32", Form: &vintrpMov, Do: nil, Chips: ToGfx908},
	}
})
