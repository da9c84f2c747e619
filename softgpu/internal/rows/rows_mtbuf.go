package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsMTBUF are the memory instructions through buffer resources with a format of their own.
var rowsMTBUF = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "tbuffer_load_format_x", Form: &mtbufLoad1, Do: bind.FormatLoad(1, false, false), Fidelity: &formatted},
		{Op: 0x01, Name: "tbuffer_load_format_xy", Form: &mtbufLoad2, Do: bind.FormatLoad(2, false, false), Fidelity: &formatted},
		{Op: 0x02, Name: "tbuffer_load_format_xyz", Form: &mtbufLoad3, Do: bind.FormatLoad(3, false, false), Fidelity: &formatted},
		{Op: 0x03, Name: "tbuffer_load_format_xyzw", Form: &mtbufLoad4, Do: bind.FormatLoad(4, false, false), Fidelity: &formatted},
		{Op: 0x04, Name: "tbuffer_store_format_x", Form: &mtbufStore1, Do: bind.FormatStore(1, false, false), Fidelity: &formatted},
		{Op: 0x05, Name: "tbuffer_store_format_xy", Form: &mtbufStore2, Do: bind.FormatStore(2, false, false), Fidelity: &formatted},
		{Op: 0x06, Name: "tbuffer_store_format_xyz", Form: &mtbufStore3, Do: bind.FormatStore(3, false, false), Fidelity: &formatted},
		{Op: 0x07, Name: "tbuffer_store_format_xyzw", Form: &mtbufStore4, Do: bind.FormatStore(4, false, false), Fidelity: &formatted},
		{Op: 0x08, Name: "tbuffer_load_format_d16_x", Form: &mtbufLoad1, Do: bind.FormatLoad(1, true, false), Fidelity: &formatted},
		{Op: 0x09, Name: "tbuffer_load_format_d16_xy", Form: &mtbufLoad1, Do: bind.FormatLoad(2, true, false), Fidelity: &formatted},
		{Op: 0x0a, Name: "tbuffer_load_format_d16_xyz", Form: &mtbufLoad2, Do: bind.FormatLoad(3, true, false), Fidelity: &formatted},
		{Op: 0x0b, Name: "tbuffer_load_format_d16_xyzw", Form: &mtbufLoad2, Do: bind.FormatLoad(4, true, false), Fidelity: &formatted},
		{Op: 0x0c, Name: "tbuffer_store_format_d16_x", Form: &mtbufStore1, Do: bind.FormatStore(1, true, false), Fidelity: &formatted},
		{Op: 0x0d, Name: "tbuffer_store_format_d16_xy", Form: &mtbufStore1, Do: bind.FormatStore(2, true, false), Fidelity: &formatted},
		{Op: 0x0e, Name: "tbuffer_store_format_d16_xyz", Form: &mtbufStore2, Do: bind.FormatStore(3, true, false), Fidelity: &formatted},
		{Op: 0x0f, Name: "tbuffer_store_format_d16_xyzw", Form: &mtbufStore2, Do: bind.FormatStore(4, true, false), Fidelity: &formatted},
	}
})
