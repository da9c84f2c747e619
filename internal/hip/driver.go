package hip

// #cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=incompatible-pointer-types -fvisibility=hidden
// #include "calls.h"
// #include "exclusive.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/gpuapi"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// libraries are the file names of HIP's library, newest first.
var libraries = []string{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}

// Driver drives the devices of one HIP library.
type Driver struct {
	*gpuapi.Driver
	t       *C.table
	version int // result of hipRuntimeGetVersion, 0 if it fails

	crashing sync.Map // by driver.Module: the []string of kernels whose launch ends the process in this release
}

var (
	_ driver.Driver              = (*Driver)(nil)
	_ driver.ClusterLauncher     = (*Driver)(nil)
	_ driver.CooperativeLauncher = (*Driver)(nil)
	_ driver.CCaller             = (*Driver)(nil)
	_ driver.DeviceWaiter        = (*Driver)(nil)
	_ driver.MemInformer         = (*Driver)(nil)
	_ driver.Grapher             = (*Driver)(nil)
	_ driver.Capturer            = (*Driver)(nil)
	_ driver.Resetter            = (*Driver)(nil)
	_ driver.ParamLayouter       = (*Driver)(nil)
	_ driver.Placer              = (*Driver)(nil)
)

// Open opens the first HIP library that it finds. It fails if that library has no device. library is a file or a name
// to try before the usual ones; it may be empty. installed, if it is not nil, returns files to try if the loader finds
// none of those names; the last one is tried first. The error says for every library why it could not be used.
func Open(library string, installed func() []string) (*Driver, error) {
	d := &Driver{}
	C.hip_watch_exit()
	_, err := gpuapi.Open(library, gpuapi.API{
		Name: "hip", Vendor: "HIP", Kind: "HIP library", Files: libraries, Installed: installed, Device: "AMD GPU",
		C: unsafe.Pointer(&C.hip_api), Codes: codes, Detail: detail, ErrorNames: &driver.HIPErrors,
		// HIP uses some 5 KiB for each change of a node, and has changed and freed arguments of graphs that were
		// executing. Graphs with branches gave wrong results with releases 5.2.3 and 5.7.1 and crashed 7.2.4
		// (docs/limits.md). Whether a one-node graph is cheaper than a launch depends on the chip.
		Traits: driver.GraphTraits{Updates: 256, Pinned: true, Chained: true, KeepsHostcallsOut: true},
		Start:  d.start,
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// safeGraphs is the first version whose graphs may be launched concurrently with other launches.
const safeGraphs = 60300000

// earlyFills is the first version whose graphs may fill host memory when they are instantiated, not when they are
// launched: from 6.4 on HIP executes a fill's command during instantiation to record its packets (ROCm/clr bd3a35bde), and
// such a command fills host memory by the processor. Tried: 6.4.3 does, 5.7.1 and 7.2.4 don't. 7.0 and 7.1 were not tried
// and count as 6.4.
const earlyFills, lateFills = 60400000, 70200000

// GraphTraits implements driver.Grapher.
func (d *Driver) GraphTraits() driver.GraphTraits {
	t := d.Driver.GraphTraits()
	t.KeepsSharedFillsOut = earlyFills <= d.version && d.version < lateFills
	return t
}

// start queries the version.
func (d *Driver) start(v *gpuapi.Driver) error {
	d.Driver, d.t = v, (*C.table)(v.Table())
	if !v.LoadedBefore() {
		C.hip_ends_first(d.t)
	}
	if v := C.call_hipRuntimeGetVersion(d.t); v.status == C.hip_success {
		d.version, d.t.state.version = int(v.value), C.int(v.value)
	}
	if d.version < safeGraphs {
		C.hip_exclude_graphs(d.t)
	}
	return nil
}

// OrdersDefaultStream implements driver.DefaultStreamOrderer: streams have the default flag, as in MLIR's own wrapper.
func (d *Driver) OrdersDefaultStream() bool { return true }

// SlowReset returns false: a reset frees HIP's own objects, and often no memory of the device.
func (d *Driver) SlowReset() bool { return false }
