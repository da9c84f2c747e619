package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// KernelArgument returns what the code object says about an argument of a module's kernel, by the argument's index.
// kernel is the address of the kernel's name, a C string.
func (r *Runtime) KernelArgument(module, kernel uintptr, index uint64) (a codeobj.Arg, ok bool) {
	k := r.core.Load()
	name, readable := cString(kernel)
	if k == nil || !readable {
		return a, false // without a driver there are no modules
	}
	k.modules.Inspect(driver.Module(module), func(kind codeobj.Kind, image []byte) {
		args, there := codeobj.Arguments(kind, image, name)
		if ok = there && index < uint64(len(args)); ok {
			a = args[index]
		}
	})
	return a, ok
}
