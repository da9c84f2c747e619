package cuda

// #cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -fvisibility=hidden
// #cgo LDFLAGS: -pthread
// #include "calls.h"
import "C"

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/dl"
	"github.com/mgpu-runtime/mgpu/internal/vendor"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// libraries are the names that the CUDA driver goes by.
var libraries = []string{"libcuda.so.1"}

// Driver drives the devices of one CUDA driver.
type Driver struct {
	lib vendor.Library
	t   *C.table

	raising sync.Mutex
	limits  atomic.Pointer[limits] // replaced as a whole, under raising
}

var (
	_ driver.Driver = (*Driver)(nil)
	_ driver.JIT    = (*Driver)(nil)
)

// Open opens the first CUDA driver that there is, and succeeds if it has a
// device. library is a file or a name to try before the usual one, empty if there
// is none. The error tells of every library tried why it is not the one.
func Open(library string) (*Driver, error) {
	d := &Driver{}
	d.limits.Store(&limits{})
	api := vendor.API{
		Vendor: "CUDA", Kind: "CUDA driver", Files: libraries,
		Layout: dl.Layout{Missing: C.cuda_missing, Bytes: C.sizeof_table},
		Start:  d.start, Codes: codes, Describe: d.describe,
	}
	for i := range C.int(C.rows) {
		r := C.row_at(i)
		api.Symbols = append(api.Symbols, dl.Symbol{Name: C.GoString(r.name), Required: bool(r.required)})
	}
	if err := d.lib.Open(library, api); err != nil {
		return nil, err
	}
	return d, nil
}

// start initializes libcuda and asks how many devices there are and what they are
// called.
func (d *Driver) start(table *dl.Table) error {
	d.t = (*C.table)(unsafe.Pointer(table))
	version := C.cuda_version(d.t).value // 12040 is 12.4
	d.lib.For = fmt.Sprintf(", for CUDA %d.%d,", version/1000, version%1000/10)
	if err := d.check(C.cuda_init(d.t)); err != nil {
		return err
	}
	count := C.cuda_device_count(d.t)
	if err := d.check(count.status); err != nil {
		return err
	}
	return d.lib.Found(int(count.value), C.row_cuDeviceGetCount<<16|C.cuda_no_device, func(device int) string {
		var text [256]C.char
		if !C.cuda_device_name(d.t, C.int(device), &text[0], C.int(len(text)-1)) || text[0] == 0 {
			return fmt.Sprintf("NVIDIA GPU %d", device)
		}
		return C.GoString(&text[0])
	})
}

// Name is "cuda".
func (d *Driver) Name() string { return "cuda" }

// Library is the name that the CUDA driver was opened by.
func (d *Driver) Library() string { return d.lib.Path() }

// DeviceCount is the number of devices.
func (d *Driver) DeviceCount() int { return d.lib.DeviceCount() }

// DeviceName is what CUDA calls the device, empty if there is no such one.
func (d *Driver) DeviceName(device int) string { return d.lib.DeviceName(device) }

// Architecture is the device's compute capability as compilers call it
// ("sm_90"), empty if there is no such device.
func (d *Driver) Architecture(device int) string {
	major := C.cuda_device_attribute(d.t, C.int(device), C.cuda_device_major)
	minor := C.cuda_device_attribute(d.t, C.int(device), C.cuda_device_minor)
	if major.status != C.cuda_success || minor.status != C.cuda_success {
		return ""
	}
	return fmt.Sprintf("sm_%d%d", major.value, minor.value)
}

// SetDevice makes device the calling thread's current one.
func (d *Driver) SetDevice(device int) error {
	if int(C.int(device)) != device {
		return d.fail(C.row_cuDeviceGet, C.cuda_invalid_device)
	}
	return d.check(C.cuda_set_device(d.t, C.int(device)))
}

// Device is the calling thread's current device.
func (d *Driver) Device() (int, error) { return int(C.cuda_get_device(d.t)), nil }

// DeviceSynchronize waits for the current device.
func (d *Driver) DeviceSynchronize() error { return d.check(C.cuda_device_synchronize(d.t)) }
