package region

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Unloading prepares for a module's unload. Recordings with its kernels are executed, and graphs with its kernels can't
// be launched afterwards.
func (r *Regions) Unloading(m driver.Module) {
	r.recorders.Range(func(_, v any) bool {
		v.(*recorder).dropModule(m)
		return true
	})
	for _, k := range r.all() {
		k.lock()
		if rec := k.graph.Recording(); rec != nil {
			rec.Functions(func(fn driver.Function) {
				if c := k.recorder.on(LaunchKernel); c.KernelIn(fn, m) {
					k.unloadedKernel = c.KernelName(fn)
				}
			})
		}
		k.mu.Unlock()
	}
}

// dropModule ends the recording if it has a kernel of the module, which is about to be unloaded.
func (rec *recorder) dropModule(m driver.Module) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	uses := ""
	if rec.recording() {
		rec.stopReplay()
		rec.rec.Functions(func(fn driver.Function) {
			if c := rec.on(LaunchKernel); c.KernelIn(fn, m) {
				uses = c.KernelName(fn)
			}
		})
	}
	if uses != "" {
		rec.commands.abort(rec, "its kernel "+uses+" is unloaded")
	}
}

// Explain adds the kernels of the stream's latest graph to the failure of a wait, unless the failure already names a
// kernel.
func (r *Regions) Explain(err error, stream uintptr) error {
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

// graphKernels returns the names of the kernels of the graph that a stream launched last, for error lines; empty if
// there are none.
func (r *Regions) graphKernels(stream uintptr) string {
	v, ok := r.lastLaunched.Load(driver.Stream(stream))
	if !ok {
		return ""
	}
	k := v.(*graph)
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
			text += k.recorder.on(LaunchKernel).KernelName(fn)
		}
	})
	return fmt.Sprintf("the stream last executed graph %#x of kernels %s", k.key, text)
}

// Lost empties the graphs of a device that the program has reset. They can be recorded again.
func (r *Regions) Lost(device int) {
	for _, k := range r.all() {
		k.lock()
		if k.device == device {
			for _, b := range k.blocks {
				if !b.reused { // otherwise a recording has the block
					r.runtime.On(MemFree).Lose(b.ptr)
				}
			}
			k.graph, k.blocks, k.ownStream, k.lastStream = launchgraph.Graph{Parts: k.graph.Parts}, nil, 0, 0
			k.hostCopies = hostCopies{}
		}
		k.mu.Unlock()
	}
	r.lastLaunched.Clear()
}
