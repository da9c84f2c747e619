package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// KernelArgument returns what the code object says of the argument with an index of a module's
// kernel, whose name is the C string at kernel.
func (r *Runtime) KernelArgument(module, kernel uintptr, index uint64) (a codeobj.Arg, ok bool) {
	k := r.core.Load()
	name, readable := cString(kernel)
	if k == nil || !readable {
		return a, false // without a driver there is no module
	}
	k.modules.Inspect(driver.Module(module), func(kind codeobj.Kind, image []byte) {
		args, there := codeobj.Arguments(kind, image, name)
		if ok = there && index < uint64(len(args)); ok {
			a = args[index]
		}
	})
	return a, ok
}
