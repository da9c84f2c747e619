package region

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// RecordLaunch records a launch and copies its parameters. invalid is the error of a launch that can't be made, nil
// otherwise.
func (r *Regions) RecordLaunch(id uintptr, fn driver.Function, l driver.Launch, invalid error) bool {
	return r.inRecording(id, func(rec *recorder) string {
		c := rec.on(LaunchKernel)
		if ok, why := rec.commands.use(rec, c, uintptr(l.Stream)); !ok {
			return why
		}
		switch {
		case invalid != nil:
			return rec.commands.invalid(c, invalid)
		case l.Extra != 0:
			return "a launch with packed arguments can't be recorded"
		}
		kernel := c.Kernel(fn)
		switch {
		case kernel.Refusal != "":
			return kernel.Refusal
		case kernel.Err != nil:
			return fmt.Sprintf("the parameters of kernel %s are not known: %v", c.KernelName(fn), kernel.Err)
		case len(kernel.Params) > 0 && l.Params == 0:
			return fmt.Sprintf("kernel %s has parameters and got none", c.KernelName(fn))
		}
		values := rec.rec.Launch(l.Stream, fn, l, kernel.Params)
		if err := readParams(c, values, l.Params, kernel.Params); err != nil {
			rec.rec.Unlaunch(l.Stream)
			return fmt.Sprintf("parameters of kernel %s: %v", c.KernelName(fn), err)
		}
		return ""
	})
}

// readParams copies a launch's parameters. HIP and CUDA would read the same memory unchecked, so readParams does not
// check it either for them.
func readParams(c Calls, values []byte, params uintptr, sizes []driver.Param) error {
	if _, callsInC := c.Driver().(driver.CCaller); callsInC {
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
