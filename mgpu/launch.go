package mgpu

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Dims are sizes along x, y and z as the program passes them.
type Dims [3]int64

// Launch is a kernel launch as the program passes it.
//
//mgpu:struct launch
type Launch struct {
	Function             uintptr
	Cluster, Grid, Block Dims // Cluster: workgroups per cluster, zero for calls without clusters
	Shared               int32
	Stream               uintptr
	Params, Extra        uintptr
}

// LaunchKernel submits a kernel launch to the stream.
func (r *Runtime) LaunchKernel(l *Launch) {
	f, ok := r.enter(launchKernel)
	if !ok {
		return
	}
	defer f.leave()
	f.launch(l, func(fn driver.Function, _ driver.Dim3, dl driver.Launch) error {
		return f.LaunchKernel(fn, dl)
	})
}

// LaunchClusterKernel submits a launch whose grid consists of clusters.
func (r *Runtime) LaunchClusterKernel(l *Launch) {
	f, ok := r.enter(launchClusterKernel)
	if !ok {
		return
	}
	defer f.leave()
	c, ok := f.k.drv.(driver.ClusterLauncher)
	if !ok {
		f.failed(f.unsupported("clusters of workgroups"))
		return
	}
	f.launch(l, func(fn driver.Function, cluster driver.Dim3, dl driver.Launch) error {
		defer f.timed(dl.Stream, trace.Work{Kernel: uintptr(fn)}).stop()
		defer f.charge().stop()
		return c.LaunchCluster(fn, cluster, dl)
	})
}

// LaunchKernelCooperative submits a launch whose workgroups are all resident at once.
func (r *Runtime) LaunchKernelCooperative(l *Launch) {
	f, ok := r.enter(launchKernelCooperative)
	if !ok {
		return
	}
	defer f.leave()
	c, ok := f.k.drv.(driver.CooperativeLauncher)
	if !ok {
		f.failed(f.unsupported("cooperative launches"))
		return
	}
	f.launch(l, func(fn driver.Function, cluster driver.Dim3, dl driver.Launch) error {
		defer f.timed(dl.Stream, trace.Work{Kernel: uintptr(fn)}).stop()
		defer f.charge().stop()
		return c.LaunchCooperative(fn, cluster, dl)
	})
}

// launch checks the program's arguments and submits the launch by call.
func (f *frame) launch(l *Launch, call func(driver.Function, driver.Dim3, driver.Launch) error) {
	stream, ok := f.findStream(l.Stream)
	if !ok {
		return
	}
	dl, cluster, err := f.r.checked(f.call, l)
	if f.failed(err) {
		return
	}
	err = f.submit(driver.Stream(l.Stream), stream, nil, func() error { return call(driver.Function(l.Function), cluster, dl) })
	if !f.failedOn(l.Function, f.r.withKernelName(err, l.Function)) && f.r.stats.timing {
		f.r.stats.kernels.launched(driver.Function(l.Function), dl.Grid, dl.Block, false)
	}
}

// dimFits reports whether drivers accept a number of workgroups or work-items.
//
//mgpu:func dim_fits
func dimFits(n int64) bool { return uint64(n) <= math.MaxUint32 }

// dim3 converts sizes to the driver's type. It does not check for zero, which the driver refuses.
func dim3(d Dims) (driver.Dim3, bool) {
	for _, v := range d {
		if !dimFits(v) {
			return driver.Dim3{}, false
		}
	}
	return driver.Dim3{X: uint32(d[0]), Y: uint32(d[1]), Z: uint32(d[2])}, true
}

// checked converts a launch to the driver's type. It returns an error if the launch's sizes don't fit the driver's
// type.
func (r *Runtime) checked(call int, l *Launch) (dl driver.Launch, cluster driver.Dim3, err error) {
	var wrong string
	convert := func(what string, d Dims) driver.Dim3 {
		sizes, ok := dim3(d)
		if !ok && wrong == "" {
			wrong = fmt.Sprintf("%s (%d,%d,%d): sizes are from 1 to %d", what, d[0], d[1], d[2], uint32(math.MaxUint32))
		}
		return sizes
	}
	grid, block, cluster := convert("grid", l.Grid), convert("workgroups of", l.Block), convert("clusters of", l.Cluster)
	if wrong == "" && l.Shared < 0 {
		wrong = fmt.Sprintf("%d bytes of dynamic workgroup memory", l.Shared)
	}
	if wrong != "" {
		err = &driver.Error{Call: fmt.Sprintf("%s(%s)", callNames[call], r.kernelName(l.Function)), Code: driver.InvalidValue, Detail: wrong}
	}
	return driver.Launch{Grid: grid, Block: block, SharedBytes: uint32(l.Shared),
		Stream: driver.Stream(l.Stream), Params: l.Params, Extra: l.Extra}, cluster, err
}

func (f *frame) unsupported(what string) error {
	return &driver.Error{Call: callNames[f.call], Code: driver.NotSupported,
		Detail: fmt.Sprintf("the %s driver has no %s", f.k.drv.Name(), what)}
}

// withKernelName adds the kernel's name to the failure of a launch, unless the driver has named it.
func (r *Runtime) withKernelName(err error, function uintptr) error {
	if err == nil {
		return nil
	}
	var e *driver.Error
	if !errors.As(err, &e) || strings.Contains(e.Call, "(") {
		return err
	}
	named := *e
	named.Call = fmt.Sprintf("%s(%s)", e.Call, r.kernelName(function))
	return &named
}
