package hip

// #cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -fvisibility=hidden
// #include "calls.h"
import "C"

import (
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/dl"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// libraries are the names that HIP's library goes by, newest first.
var libraries = []string{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}

// Options say how to open the driver.
type Options struct {
	Library string // a file or a name to try before the usual ones; empty: none
}

// Driver drives the devices of one HIP library.
type Driver struct {
	h          *C.hip
	library    *dl.Library
	version    int
	names      []string // by device
	waitStream uintptr
	waitEvent  uintptr
	waitCopy   uintptr
	waitFree   uintptr
}

var (
	_ driver.Driver              = (*Driver)(nil)
	_ driver.Waiter              = (*Driver)(nil)
	_ driver.CooperativeLauncher = (*Driver)(nil)
)

// Open opens the first HIP library that there is, and succeeds if it has a
// device. The error tells of every library tried why it is not the one.
func Open(o Options) (*Driver, error) {
	paths := libraries
	if o.Library != "" {
		paths = append([]string{o.Library}, paths...)
	}
	d := &Driver{
		h:          C.hip_new(),
		waitStream: uintptr(C.hip_wait_stream_function()),
		waitEvent:  uintptr(C.hip_wait_event_function()),
		waitCopy:   uintptr(C.hip_wait_copy_function()),
		waitFree:   uintptr(C.hip_wait_free_function()),
	}
	if d.h == nil {
		return nil, errors.New("no memory for a table of functions")
	}
	if _, err := dl.First(paths, d.take); err != nil {
		return nil, err
	}
	return d, nil
}

// take makes a library the driver's. One of the right kind is the only one: two
// of a vendor's libraries in one process disturb each other.
func (d *Driver) take(l *dl.Library) error {
	if err := d.fill(l); err != nil {
		return err
	}
	d.library = l
	return dl.Stop(d.findDevices())
}

// fill fills the table with a library's functions.
func (d *Driver) fill(l *dl.Library) error {
	symbols := make([]dl.Symbol, C.hip_rows())
	for i := range symbols {
		symbols[i] = dl.Symbol{Name: C.GoString(C.hip_row_name(C.int(i))), Required: C.hip_row_required(C.int(i)) != 0}
	}
	addrs, err := l.Addresses(symbols)
	if err != nil {
		return fmt.Errorf("not a HIP library: %w", err)
	}
	for i, a := range addrs {
		if a != 0 {
			C.hip_set(d.h, C.int(i), C.uintptr_t(a))
		}
	}
	return nil
}

// findDevices asks how many devices there are and what they are called.
func (d *Driver) findDevices() error {
	if v := C.hip_runtime_version(d.h); v.status == C.hip_success {
		d.version = int(v.value)
	}
	count := C.hip_device_count(d.h)
	if err := d.check("hipGetDeviceCount", count.status); err != nil {
		return err
	}
	if count.value == 0 {
		return &driver.Error{Call: "hipGetDeviceCount", Name: "hipErrorNoDevice", Code: driver.NoDevice, Detail: "it counts 0 devices"}
	}
	d.names = make([]string, count.value)
	for i := range d.names {
		d.names[i] = fmt.Sprintf("AMD GPU %d", i)
		var text [256]C.char
		if C.hip_device_name(d.h, C.int(i), &text[0], C.int(len(text)-1)) == C.hip_success && text[0] != 0 {
			d.names[i] = C.GoString(&text[0])
		}
	}
	return nil
}

// Name is "hip".
func (d *Driver) Name() string { return "hip" }

// Library is the name that HIP's library was opened by.
func (d *Driver) Library() string { return d.library.Path() }

// Version is what hipRuntimeGetVersion says, 0 if nothing.
func (d *Driver) Version() int { return d.version }

// DeviceCount is the number of devices.
func (d *Driver) DeviceCount() int { return len(d.names) }

// DeviceName is what HIP calls the device, empty if there is no such one.
func (d *Driver) DeviceName(device int) string {
	if device < 0 || device >= len(d.names) {
		return ""
	}
	return d.names[device]
}

// SetDevice makes device the calling thread's current one.
func (d *Driver) SetDevice(device int) error {
	if int(C.int(device)) != device {
		return d.failure("hipSetDevice", C.hip_invalid_device)
	}
	return d.check("hipSetDevice", C.hip_set_device(d.h, C.int(device)))
}

// Device is the calling thread's current device.
func (d *Driver) Device() (int, error) {
	v := C.hip_get_device(d.h)
	return int(v.value), d.check("hipGetDevice", v.status)
}
