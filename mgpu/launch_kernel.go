package mgpu

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// kernel is what is remembered of a function: for messages, and for graphs.
type kernel struct {
	name   string
	module driver.Module
	info   atomic.Pointer[kernelInfo] // nil until asked for
}

// kernelInfo is what graphs have to know of a kernel.
type kernelInfo struct {
	params  []driver.Param // where its parameters lie
	err     error          // why that is not known
	refusal string         // why launches of it must not be in graphs; empty if they may
}

// maxKernels bounds the kernels that are remembered: where modules can't be shared
// a driver gives new functions for ever.
const maxKernels = 4096

// nameKernel remembers a function that a module gave.
func (r *Runtime) nameKernel(function uintptr, module driver.Module, name string) {
	if known, ok := r.kernels.Load(function); ok && known.(*kernel).name == name && known.(*kernel).module == module {
		return
	}
	if r.kernelsAdded.Add(1) > maxKernels {
		r.kernels.Clear()
		r.kernelsAdded.Store(1)
	}
	r.kernels.Store(function, &kernel{name: strings.Clone(name), module: module})
}

// forgetKernels ends what is remembered of a module's functions, whose handles may
// come back as others'.
func (r *Runtime) forgetKernels(module driver.Module) {
	r.kernels.Range(func(function, k any) bool {
		if k.(*kernel).module == module && r.kernels.CompareAndDelete(function, k) {
			r.kernelsAdded.Add(-1)
		}
		return true
	})
}

// kernelOf is what is remembered of a function, nil if nothing.
func (r *Runtime) kernelOf(function uintptr) *kernel {
	if k, ok := r.kernels.Load(function); ok {
		return k.(*kernel)
	}
	return nil
}

// kernelName names a function in messages.
func (r *Runtime) kernelName(function uintptr) string {
	if k := r.kernelOf(function); k != nil {
		return k.name
	}
	return fmt.Sprintf("%#x", function)
}

// kernelInfoOf tells what graphs have to know of a function.
func (f *frame) kernelInfoOf(function uintptr) *kernelInfo {
	k := f.r.kernelOf(function)
	if k == nil {
		return &kernelInfo{refusal: fmt.Sprintf("function %#x is of another library", function)}
	}
	if known := k.info.Load(); known != nil {
		return known
	}
	info := &kernelInfo{err: fmt.Errorf("kernel %s is of a module that came past the library", k.name)}
	if d, ok := f.k.drv.(driver.ParamLayouter); ok {
		f.k.modules.Inspect(k.module, func(_ codeobj.Kind, image []byte) {
			info.params, info.err = d.FunctionParams(driver.Function(function), image, k.name)
		})
	} else {
		info.err = fmt.Errorf("the %s driver does not tell the sizes of parameters", f.k.drv.Name())
	}
	if f.k.graphs.GraphTraits().KeepsHostcallsOut && f.k.hostUse(k.module, k.name) == codeobj.HostUseYes {
		info.refusal = fmt.Sprintf("kernel %s calls the host (printf, assert or malloc)", k.name)
	}
	k.info.Store(info)
	return info
}
