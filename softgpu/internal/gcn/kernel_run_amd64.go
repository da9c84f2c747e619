package gcn

import (
	"reflect"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// codeOfKernel is the op that does what k does; 0: there is none.
func codeOfKernel(k any) uintptr {
	if op, ok := alu.OpsOfKernels()[reflect.ValueOf(k).Pointer()]; ok {
		return alu.Codes()[op]
	}
	return 0
}
