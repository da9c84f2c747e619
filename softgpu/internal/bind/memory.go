package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// BindRegisters returns where an operand's data is.
func BindRegisters(o *encoding.Operand) wave.Registers {
	return wave.Registers{At: int(o.Reg), Acc: o.Kind == encoding.AReg, Count: int(o.Width)}
}
