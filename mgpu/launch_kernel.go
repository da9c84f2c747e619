package mgpu

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// kernel describes a function, for error lines and graphs.
type kernel struct {
	name   string
	module driver.Module
	info   atomic.Pointer[launchgraph.KernelTraits] // nil until first needed
}

// nameKernel stores the name and the module of a function.
func (r *Runtime) nameKernel(function uintptr, module driver.Module, name string) {
	if known, ok := r.kernels.Load(function); ok && known.(*kernel).name == name && known.(*kernel).module == module {
		return
	}
	if r.kernelsAdded.Add(1) > maxKernels {
		r.kernels.Clear()
		r.kernelsAdded.Store(1)
	}
	r.cfg.Trace.On().Kernel(function, name)
	if r.stats.timing {
		r.stats.kernels.named(function, strings.Clone(name), r.cfg.FastPath)
		r.stats.kernels.noteHostUse(name, func() bool {
			k := r.core.Load()
			return k != nil && r.hostUses.calls(k.modules, module, name) == codeobj.HostUseYes
		})
	}
	r.kernels.Store(function, &kernel{name: strings.Clone(name), module: module})
}

// forgetKernels forgets the functions of a module. The driver may reuse their handles.
func (r *Runtime) forgetKernels(module driver.Module) {
	r.kernels.Range(func(function, k any) bool {
		if k.(*kernel).module == module && r.kernels.CompareAndDelete(function, k) {
			r.kernelsAdded.Add(-1)
		}
		return true
	})
}

// kernelOf returns the stored kernel of a function; nil if there is none.
func (r *Runtime) kernelOf(function uintptr) *kernel {
	if k, ok := r.kernels.Load(function); ok {
		return k.(*kernel)
	}
	return nil
}

// kernelName returns a function's name for messages; its address if the name is unknown.
func (r *Runtime) kernelName(function uintptr) string {
	if k := r.kernelOf(function); k != nil {
		return k.name
	}
	return fmt.Sprintf("%#x", function)
}

// kernelTraits returns what graphs need to know about a function; never nil.
func (f *frame) kernelTraits(function uintptr) *launchgraph.KernelTraits {
	k := f.r.kernelOf(function)
	if k == nil {
		return &launchgraph.KernelTraits{Refusal: fmt.Sprintf("function %#x is of another library", function)}
	}
	if known := k.info.Load(); known != nil {
		return known
	}
	info := &launchgraph.KernelTraits{Err: fmt.Errorf("kernel %s is of a module that the library did not load", k.name)}
	if d, ok := f.k.drv.(driver.ParamLayouter); ok {
		f.k.modules.Inspect(k.module, func(_ codeobj.Kind, image []byte) {
			info.Params, info.Err = d.FunctionParams(driver.Function(function), image, k.name)
		})
	} else {
		info.Err = fmt.Errorf("the %s driver does not tell the sizes of parameters", f.k.drv.Name())
	}
	if f.k.graphs.GraphTraits().KeepsHostcallsOut && f.r.hostUses.calls(f.k.modules, k.module, k.name) == codeobj.HostUseYes {
		info.Refusal = fmt.Sprintf("kernel %s calls the host (printf, assert or malloc)", k.name)
	}
	k.info.Store(info)
	return info
}
