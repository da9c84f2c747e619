package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rows10DS are the LDS instructions of GFX10: GFX11's, but for one number.
var rows10DS = sync.OnceValue(func() []encoding.Row {
	list := rowsOf11(rows11DS(), "ds_add_rtn_f32", "ds_add_gs_reg_rtn", "ds_sub_gs_reg_rtn")
	return shared10(append(list, encoding.Row{Op: 0x55, Name: "ds_add_rtn_f32"}))
})
