package cuda

// #cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=incompatible-pointer-types -fvisibility=hidden
// #cgo LDFLAGS: -pthread
// #include "calls.h"
import "C"

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/gpuapi"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// libraries are the file names of the CUDA driver.
var libraries = []string{"libcuda.so.1"}

// Driver drives the devices of one CUDA driver.
type Driver struct {
	*gpuapi.Driver
	t *C.table

	raising sync.Mutex
	limits  atomic.Pointer[limits] // replaced as a whole, with raising locked
}

var (
	_ driver.Driver              = (*Driver)(nil)
	_ driver.JIT                 = (*Driver)(nil)
	_ driver.ClusterLauncher     = (*Driver)(nil)
	_ driver.CooperativeLauncher = (*Driver)(nil)
	_ driver.TensorMapper        = (*Driver)(nil)
	_ driver.CCaller             = (*Driver)(nil)
	_ driver.DeviceWaiter        = (*Driver)(nil)
	_ driver.MemInformer         = (*Driver)(nil)
	_ driver.Grapher             = (*Driver)(nil)
	_ driver.Capturer            = (*Driver)(nil)
	_ driver.Resetter            = (*Driver)(nil)
	_ driver.ParamLayouter       = (*Driver)(nil)
	_ driver.Placer              = (*Driver)(nil)
	_ driver.UncheckedStreams    = (*Driver)(nil)
)

// Open opens the first CUDA driver that it finds. It fails if that driver has no device. library is a file or a name to
// try before the usual one; it may be empty. The error says for every library why it could not be used.
func Open(library string) (*Driver, error) {
	d := &Driver{}
	d.limits.Store(&limits{})
	_, err := gpuapi.Open(library, gpuapi.API{
		Name: "cuda", Vendor: "CUDA", Kind: "CUDA driver", Files: libraries, Device: "NVIDIA GPU",
		C: unsafe.Pointer(&C.cuda_api), Codes: codes, Detail: detail, ErrorNames: &driver.CUDAErrors,
		// Execs may be changed and destroyed while they execute. On an H100, issuing a one-node graph took 0.45 times
		// as long as issuing a launch.
		Traits: driver.GraphTraits{Auto: true},
		Start:  d.start, Allow: d.allow,
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// start initializes libcuda.
func (d *Driver) start(v *gpuapi.Driver) error {
	d.Driver, d.t = v, (*C.table)(v.Table())
	version := C.cuda_version(d.t).value // 12040 is 12.4
	v.For = fmt.Sprintf(", for CUDA %d.%d,", version/1000, version%1000/10)
	return v.Check(int32(C.cuda_init(d.t)))
}

// Architecture returns the device's compute capability in the compilers' spelling ("sm_90"); empty if the device does
// not exist.
func (d *Driver) Architecture(device int) string {
	major := C.cuda_device_attribute(d.t, C.int(device), C.cuda_device_major)
	minor := C.cuda_device_attribute(d.t, C.int(device), C.cuda_device_minor)
	if major.status != C.cuda_success || minor.status != C.cuda_success {
		return ""
	}
	return fmt.Sprintf("sm_%d%d", major.value, minor.value)
}

// UncheckedStreams implements driver.UncheckedStreams: cuStreamQuery and cuStreamIsCapturing of a destroyed stream raise
// SIGSEGV in driver 580.
func (d *Driver) UncheckedStreams() {}

// SlowReset returns true, since a reset takes 70 ms (H100 and H200, driver 580).
func (d *Driver) SlowReset() bool { return true }
