package mgpu

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/modulecache"
)

// kernel is what is remembered of a function: for messages, and for graphs.
type kernel struct {
	name   string
	module driver.Module
	params atomic.Pointer[layout] // nil until asked for
}

// layout is where a kernel's parameters lie; err: why that is not known.
type layout struct {
	params []driver.Param
	err    error
}

// mostNames bounds the kernels that are remembered: where modules can't be shared
// a driver gives new functions for ever.
const mostNames = 4096

// nameKernel remembers a function that a module gave.
func (r *Runtime) nameKernel(function uintptr, module driver.Module, name string) {
	if known, ok := r.names.Load(function); ok && known.(*kernel).name == name && known.(*kernel).module == module {
		return
	}
	if r.named.Add(1) > mostNames {
		r.names.Clear()
		r.named.Store(1)
	}
	r.names.Store(function, &kernel{name: strings.Clone(name), module: module})
}

// forgetKernels ends what is remembered of a module's functions, whose handles may
// come back as others'.
func (r *Runtime) forgetKernels(module driver.Module) {
	r.names.Range(func(function, k any) bool {
		if k.(*kernel).module == module && r.names.CompareAndDelete(function, k) {
			r.named.Add(-1)
		}
		return true
	})
}

// kernelOf is what is remembered of a function, nil if nothing.
func (r *Runtime) kernelOf(function uintptr) *kernel {
	if k, ok := r.names.Load(function); ok {
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

// paramsOf tells where the parameters of a function lie.
func (f *frame) paramsOf(function uintptr) ([]driver.Param, error) {
	k := f.r.kernelOf(function)
	if k == nil {
		return nil, fmt.Errorf("function %#x is of another library", function)
	}
	if l := k.params.Load(); l != nil {
		return l.params, l.err
	}
	d, ok := f.k.drv.(driver.ParamLayouter)
	if !ok {
		return nil, fmt.Errorf("the %s driver does not tell the sizes of parameters", f.k.drv.Name())
	}
	l := &layout{err: fmt.Errorf("kernel %s is of a module that came past the library", k.name)}
	f.k.modules.Inspect(k.module, func(_ modulecache.Kind, image []byte) {
		l.params, l.err = d.FunctionParams(driver.Function(function), image, k.name)
	})
	k.params.Store(l)
	return l.params, l.err
}

// graphable tells why launches of a function must not be in graphs, empty if they
// may.
func (f *frame) graphable(function uintptr) string {
	k := f.r.kernelOf(function)
	switch {
	case k == nil:
		return fmt.Sprintf("function %#x is of another library", function)
	case f.k.graphs.GraphTraits().KeepsHostcallsOut && f.k.hostUse(k.module, k.name) == codeobj.HostUseYes:
		return fmt.Sprintf("kernel %s calls the host (printf, assert or malloc)", k.name)
	}
	return ""
}
