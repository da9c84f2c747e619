package mgpu

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// dropModuleGraphs prepares for a module's unload: recordings with its kernels are executed,
// and graphs with its kernels can't be launched again.
func (r *Runtime) dropModuleGraphs(m driver.Module) {
	r.graphs.recorders.Range(func(_, v any) bool {
		v.(*recorder).dropModule(m)
		return true
	})
	r.graphs.mu.Lock()
	var all []*regionGraph
	for _, k := range r.graphs.byKey {
		all = append(all, k)
	}
	r.graphs.mu.Unlock()
	for _, k := range all {
		k.lock()
		if rec := k.graph.Recording(); rec != nil {
			rec.Functions(func(fn driver.Function) {
				if known := r.kernelOf(uintptr(fn)); known != nil && known.module == m {
					k.unloadedKernel = known.name
				}
			})
		}
		k.mu.Unlock()
	}
	r.forgetKernels(m)
}

// withGraphKernels adds the kernels of the stream's latest graph to the failure of a wait,
// unless the failure names a kernel.
func (r *Runtime) withGraphKernels(err error, stream uintptr) error {
	if err == nil {
		return nil
	}
	var e *driver.Error
	if !errors.As(err, &e) || e.Code != driver.LaunchFailure || strings.Contains(e.Call, "(") {
		return err
	}
	what := r.graphKernels(stream)
	if what == "" {
		return err
	}
	said := *e
	if said.Detail != "" {
		said.Detail += "; "
	}
	said.Detail += what
	return &said
}

// graphKernels names the kernels of the graph that a stream launched last, for error lines;
// empty if there is none.
func (r *Runtime) graphKernels(stream uintptr) string {
	v, ok := r.graphs.lastLaunched.Load(driver.Stream(stream))
	if !ok {
		return ""
	}
	k := v.(*regionGraph)
	k.lock()
	defer k.mu.Unlock()
	rec := k.graph.Recording()
	if rec == nil {
		return ""
	}
	text := ""
	seen := map[driver.Function]bool{}
	rec.Functions(func(fn driver.Function) {
		if !seen[fn] && len(seen) < 8 {
			if seen[fn] = true; text != "" {
				text += ", "
			}
			text += r.kernelName(uintptr(fn))
		}
	})
	return fmt.Sprintf("the stream last executed graph %#x of kernels %s", k.key, text)
}
