package hip

// #cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -fvisibility=hidden
// #include "calls.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/dl"
	"github.com/mgpu-runtime/mgpu/internal/vendor"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// libraries are the names that HIP's library goes by, newest first.
var libraries = []string{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}

// Driver drives the devices of one HIP library.
type Driver struct {
	lib     vendor.Library
	t       *C.table
	version int // as hipRuntimeGetVersion says, 0 if nothing
}

var (
	_ driver.Driver              = (*Driver)(nil)
	_ driver.Waiter              = (*Driver)(nil)
	_ driver.CooperativeLauncher = (*Driver)(nil)
)

// Open opens the first HIP library that there is, and succeeds if it has a
// device. library is a file or a name to try before the usual ones, empty if there
// is none. The error tells of every library tried why it is not the one.
func Open(library string) (*Driver, error) {
	d := &Driver{}
	api := vendor.API{
		Vendor: "HIP", Kind: "HIP library", Files: libraries,
		Layout: dl.Layout{Missing: C.hip_missing, Bytes: C.sizeof_table},
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

// start asks how many devices there are and what they are called.
func (d *Driver) start(table *dl.Table) error {
	d.t = (*C.table)(unsafe.Pointer(table))
	if v := C.call_hipRuntimeGetVersion(d.t); v.status == C.hip_success {
		d.version = int(v.value)
	}
	count := C.call_hipGetDeviceCount(d.t)
	if err := d.check(count.status); err != nil {
		return err
	}
	return d.lib.Found(int(count.value), C.row_hipGetDeviceCount<<16|C.hip_no_device, func(device int) string {
		var text [256]C.char
		if !C.hip_device_name(d.t, C.int(device), &text[0], C.int(len(text)-1)) || text[0] == 0 {
			return fmt.Sprintf("AMD GPU %d", device)
		}
		return C.GoString(&text[0])
	})
}

// Name is "hip".
func (d *Driver) Name() string { return "hip" }

// Library is the name that HIP's library was opened by.
func (d *Driver) Library() string { return d.lib.Path() }

// DeviceCount is the number of devices.
func (d *Driver) DeviceCount() int { return d.lib.DeviceCount() }

// DeviceName is what HIP calls the device, empty if there is no such one.
func (d *Driver) DeviceName(device int) string { return d.lib.DeviceName(device) }

// SetDevice makes device the calling thread's current one.
func (d *Driver) SetDevice(device int) error {
	if int(C.int(device)) != device {
		return d.fail(C.row_hipSetDevice, C.hip_invalid_device)
	}
	return d.check(C.call_hipSetDevice(d.t, C.uintptr_t(device)))
}

// Device is the calling thread's current device.
func (d *Driver) Device() (int, error) {
	v := C.call_hipGetDevice(d.t)
	return int(v.value), d.check(v.status)
}

// DeviceSynchronize waits for the current device.
func (d *Driver) DeviceSynchronize() error { return d.check(C.hip_device_synchronize(d.t)) }
