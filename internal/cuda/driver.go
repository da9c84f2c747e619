package cuda

// #cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -fvisibility=hidden
// #cgo LDFLAGS: -pthread
// #include "calls.h"
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/dl"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// libraries are the names that the CUDA driver goes by.
var libraries = []string{"libcuda.so.1"}

// Options say how to open the driver.
type Options struct {
	Library string // a file or a name to try before the usual one; empty: none
}

// Driver drives the devices of one CUDA driver.
type Driver struct {
	c          *C.cuda
	library    *dl.Library
	version    int
	names      []string // by device
	waitStream uintptr
	waitEvent  uintptr
	waitCopy   uintptr
	waitFree   uintptr

	raising sync.Mutex
	limits  atomic.Pointer[limits] // replaced as a whole, under raising
}

var (
	_ driver.Driver              = (*Driver)(nil)
	_ driver.Waiter              = (*Driver)(nil)
	_ driver.JIT                 = (*Driver)(nil)
	_ driver.ClusterLauncher     = (*Driver)(nil)
	_ driver.CooperativeLauncher = (*Driver)(nil)
	_ driver.TensorMapper        = (*Driver)(nil)
)

// Open opens the first CUDA driver that there is, and succeeds if it has a
// device. The error tells of every library tried why it is not the one.
func Open(o Options) (*Driver, error) {
	paths := libraries
	if o.Library != "" {
		paths = append([]string{o.Library}, paths...)
	}
	d := &Driver{
		c:          C.cuda_new(),
		waitStream: uintptr(C.cuda_wait_stream_function()),
		waitEvent:  uintptr(C.cuda_wait_event_function()),
		waitCopy:   uintptr(C.cuda_wait_copy_function()),
		waitFree:   uintptr(C.cuda_wait_free_function()),
	}
	if d.c == nil {
		return nil, errors.New("no memory for a table of functions")
	}
	d.limits.Store(&limits{})
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
	symbols := make([]dl.Symbol, C.cuda_rows())
	for i := range symbols {
		symbols[i] = dl.Symbol{Name: C.GoString(C.cuda_row_name(C.int(i))), Required: C.cuda_row_required(C.int(i)) != 0}
	}
	addrs, err := l.Addresses(symbols)
	if err != nil {
		return fmt.Errorf("not a CUDA driver: %w", err)
	}
	for i, a := range addrs {
		if a != 0 {
			C.cuda_set(d.c, C.int(i), C.uintptr_t(a))
		}
	}
	return nil
}

// findDevices initializes libcuda and asks how many devices there are and what
// they are called.
func (d *Driver) findDevices() error {
	if v := C.cuda_version(d.c); v.status == C.cuda_success {
		d.version = int(v.value)
	}
	if err := d.check("cuInit", C.cuda_init(d.c)); err != nil {
		return err
	}
	count := C.cuda_device_count(d.c)
	if err := d.check("cuDeviceGetCount", count.status); err != nil {
		return err
	}
	if count.value == 0 {
		return &driver.Error{Call: "cuDeviceGetCount", Name: "CUDA_ERROR_NO_DEVICE", Code: driver.NoDevice, Detail: "it counts 0 devices"}
	}
	d.names = make([]string, count.value)
	for i := range d.names {
		d.names[i] = fmt.Sprintf("NVIDIA GPU %d", i)
		var text [256]C.char
		if C.cuda_device_name(d.c, C.int(i), &text[0], C.int(len(text)-1)) == C.cuda_success && text[0] != 0 {
			d.names[i] = C.GoString(&text[0])
		}
	}
	return nil
}

// Name is "cuda".
func (d *Driver) Name() string { return "cuda" }

// Library is the name that the CUDA driver was opened by.
func (d *Driver) Library() string { return d.library.Path() }

// Version is what cuDriverGetVersion says (12040 is 12.4), 0 if nothing.
func (d *Driver) Version() int { return d.version }

// DeviceCount is the number of devices.
func (d *Driver) DeviceCount() int { return len(d.names) }

// DeviceName is what CUDA calls the device, empty if there is no such one.
func (d *Driver) DeviceName(device int) string {
	if device < 0 || device >= len(d.names) {
		return ""
	}
	return d.names[device]
}

// Architecture is the device's compute capability as compilers call it
// ("sm_90"), empty if there is no such device.
func (d *Driver) Architecture(device int) string {
	if device < 0 || device >= len(d.names) {
		return ""
	}
	major := C.cuda_device_attribute(d.c, C.int(device), C.cuda_device_major)
	minor := C.cuda_device_attribute(d.c, C.int(device), C.cuda_device_minor)
	if major.status != C.cuda_success || minor.status != C.cuda_success {
		return ""
	}
	return fmt.Sprintf("sm_%d%d", major.value, minor.value)
}

// SetDevice makes device the calling thread's current one.
func (d *Driver) SetDevice(device int) error {
	if int(C.int(device)) != device {
		return d.failure("cuDeviceGet", C.cuda_invalid_device)
	}
	return d.check("cuDeviceGet", C.cuda_set_device(d.c, C.int(device)))
}

// Device is the calling thread's current device.
func (d *Driver) Device() (int, error) { return int(C.cuda_get_device(d.c)), nil }
