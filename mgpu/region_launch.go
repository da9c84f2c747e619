package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// RecordLaunch records a launch and copies its parameters.
func (r *Runtime) RecordLaunch(id uintptr, l *Launch) bool {
	return r.inRecording(id, func(rec *recorder) string {
		f := rec.frameFor(launchKernel)
		if ok, why := rec.useStream(f, l.Stream); !ok {
			return why
		}
		grid, okGrid := dim3(l.Grid)
		block, okBlock := dim3(l.Block)
		if rec.callByCall && (!okGrid || !okBlock || l.Shared < 0) {
			return "an invalid launch"
		}
		if !okGrid || !okBlock || l.Shared < 0 {
			f.failed(f.invalidLaunch(l))
			return ""
		}
		if l.Extra != 0 {
			return "a launch with packed arguments can't be recorded"
		}
		if rec.kernel.kernelInfo == nil || rec.kernel.function != l.Function || rec.kernel.of != r.kernelOf(l.Function) {
			rec.kernel = launchedKernel{l.Function, r.kernelOf(l.Function), f.kernelInfoOf(l.Function)}
		}
		params, err := rec.kernel.params, rec.kernel.err
		switch {
		case rec.kernel.refusal != "":
			return rec.kernel.refusal
		case err != nil:
			return fmt.Sprintf("the parameters of kernel %s are not known: %v", r.kernelName(l.Function), err)
		case len(params) > 0 && l.Params == 0:
			return fmt.Sprintf("kernel %s has parameters and got none", r.kernelName(l.Function))
		}
		s := driver.Stream(l.Stream)
		values := rec.rec.Launch(s, driver.Function(l.Function), driver.Launch{Grid: grid, Block: block, SharedBytes: uint32(l.Shared)}, params)
		if err := f.k.readParams(values, l.Params, params); err != nil {
			rec.rec.Unlaunch(s)
			return fmt.Sprintf("parameters of kernel %s: %v", r.kernelName(l.Function), err)
		}
		return ""
	})
}

// readParams copies a launch's parameters. Vendors' drivers would read the same memory
// unchecked, so for them there is no check either.
func (k *core) readParams(values []byte, params uintptr, sizes []driver.Param) error {
	if _, direct := k.drv.(driver.Direct); direct {
		launchgraph.Read(values, params, sizes)
		return nil
	}
	for i, p := range sizes {
		at, err := hostmem.ReadUint64(params + uintptr(8*i))
		if err == nil {
			err = hostmem.Read(values[p.Offset:][:p.Size], uintptr(at))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
