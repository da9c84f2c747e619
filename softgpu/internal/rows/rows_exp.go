package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowsEXP is the export instruction.
var rowsEXP = sync.OnceValue(func() []encoding.Row {
	return []encoding.Row{
		{Op: 0x00, Name: "exp", Form: &expForm, Do: nil, Chips: encoding.ToGfx908},
	}
})
