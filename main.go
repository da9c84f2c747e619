// Package main is libmlir_rocm_runtime.so: the C ABI that MLIR-lowered GPU programs call, on top of package mgpu.
//
// entry.c and entry_extensions.c have the C functions, export*.go the Go side of each. internal/guest runs Go in a host
// process without side effects, and internal/fastpath makes common calls in C without Go. This file lists the drivers
// in their order, and config.go reads the environment. Nothing here runs before the process's first mgpu call.
package main

import (
	"sync/atomic"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/fastpath"
	"github.com/mgpu-runtime/mgpu/internal/heaplimit"
	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

// main is never called: C calls the exports.
func main() {}

// drivers are tried in this order.
var drivers = []mgpu.Opener{
	{Name: "hip", Open: openHIP},
	{Name: "cuda", Open: openCUDA},
	{Name: "soft", Open: openSoft, Fallback: true},
	{Name: "null", Open: openNull, OnDemand: true},
}

// openSoft opens the software GPU.
func openSoft() (driver.Driver, error) {
	o, err := softgpu.FromEnvironment(process.Getenv)
	if err != nil {
		return nil, err
	}
	o.Current, o.Reports, o.Trace = process.Device{}, findings{}, &recording
	o.Stdout, o.Stderr = process.Stdout{}, process.Stderr{}
	if log.OnError().Abort {
		o.Abort = process.Abort
	}
	d, err := softgpu.Open(o)
	if err != nil {
		return nil, err
	}
	softGPU.Store(d)
	heaplimit.Follow() // decoded kernels are on the heap
	return d, nil
}

// softGPU is the software GPU, for the end of the process; nil: not open.
var softGPU atomic.Pointer[softgpu.Driver]

// exitPatience is how long the end of the process waits for kernels that still run on the software GPU, so that their
// errors are reported. A kernel may never end.
const exitPatience = 2 * time.Second

// lastFailures returns the errors of the software GPU's work for which no call has waited.
func lastFailures(d *softgpu.Driver) []error {
	until := time.Now().Add(exitPatience)
	return d.Failures(func() bool {
		time.Sleep(100 * time.Microsecond)
		return time.Now().Before(until)
	})
}

// openNull opens the driver that does nothing.
func openNull() (driver.Driver, error) {
	us, err := process.Number("MGPU_TEST_NULL_KERNEL_US", 0)
	if err != nil {
		return nil, err
	}
	return null.Open(null.Options{
		Kernel:  time.Duration(us) * time.Microsecond,
		Sleep:   process.WaitFunction(),
		Nothing: fastpath.Nothing(),
	}), nil
}
