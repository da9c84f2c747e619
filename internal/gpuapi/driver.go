package gpuapi

// #cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -fvisibility=hidden
// #include "calls.h"
import "C"

import (
	"embed"
	"fmt"
	"slices"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/dl"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// The go command rebuilds a package that includes these headers only if their change is visible here.
//
//go:embed api.h calls.h
var _ embed.FS

//go:generate go run ./generate ../.. ../..

// API holds the differences between vendors.
type API struct {
	Name   string         // name of the driver: "hip"
	Vendor string         // vendor whose numbers the statuses are: "HIP"
	Kind   string         // what a library is called in messages: "HIP library"
	Files  []string       // file names of the library, newest first
	Device string         // name of a device without a name, before its number
	C      unsafe.Pointer // the vendor's functions and numbers: a struct api, see api.h

	// Installed, if it is not nil, returns files to try if the loader finds none of Files. The last one is tried first.
	Installed func() []string

	// Start makes the library ready for calls. It may use the driver's Table, Check and Failure, and set For.
	Start func(*Driver) error

	Codes map[int32]driver.Code // codes of statuses; statuses that are not listed are Unknown
	// Detail returns what an error says besides its name; empty if nothing. says returns the vendor's own text, empty
	// if that is the name.
	Detail func(code driver.Code, says func() string) string

	// Allow, if it is not nil, makes sure that a function can be launched with bytes of dynamic workgroup memory. bytes
	// is not 0.
	Allow func(f driver.Function, bytes uint32) error

	Traits driver.GraphTraits

	ErrorNames *driver.ErrorNames // names of failures that the runtime finds
}

// Driver drives the devices of one library. A vendor's own driver embeds it and adds what only that vendor has.
type Driver struct {
	For string // target of the library, by its own account; messages add it to the path

	api     API
	v       *C.struct_api // api.C
	lib     *dl.Library
	t       *C.table
	symbols []dl.Symbol // by row
	devices []string    // names of the devices
}

// Open opens the first library that it finds; if file is not empty, it tries file before the usual names. Open fails if
// that library has no device. The error says for every library why it could not be used.
func Open(file string, api API) (*Driver, error) {
	d := &Driver{api: api, v: (*C.struct_api)(api.C)}
	for _, r := range unsafe.Slice(d.v.symbols, d.v.rows) {
		d.symbols = append(d.symbols, dl.Symbol{Name: C.GoString(r.name), Required: bool(r.required)})
	}
	files := func(yield func(string) bool) {
		if file != "" && !yield(file) {
			return
		}
		for _, name := range api.Files {
			if !yield(name) {
				return
			}
		}
		if api.Installed == nil {
			return
		}
		for _, name := range slices.Backward(api.Installed()) {
			if !yield(name) {
				return
			}
		}
	}
	_, err := dl.First(files, d.adopt)
	return d, err
}

// adopt makes a library the driver's. Once a library of the right kind is open, no other one is tried, since two of a
// vendor's libraries in one process disturb each other.
func (d *Driver) adopt(opened *dl.Library) error {
	table, err := opened.Table(dl.Layout{
		Head: unsafe.Pointer(d.v.calls), Symbols: d.symbols, Missing: unsafe.Pointer(d.v.missing), Bytes: uintptr(d.v.bytes),
	})
	if err != nil {
		return fmt.Errorf("not a %s: %w", d.api.Kind, err)
	}
	d.lib, d.t = opened, (*C.table)(unsafe.Pointer(table))
	return dl.Stop(d.start())
}

// start queries the number of devices and their names.
func (d *Driver) start() error {
	if err := d.api.Start(d); err != nil {
		return err
	}
	count := C.gpu_device_count(d.t)
	if err := d.check(count.status); err != nil {
		return err
	}
	if int(count.value) <= 0 {
		e := d.refuse(d.v.row.device_count, d.v.status.no_device)
		e.Detail = "it counts 0 devices"
		return e
	}
	for i := range int(count.value) {
		var name [256]C.char
		if !C.gpu_device_name(d.t, C.int(i), &name[0], C.int(len(name)-1)) || name[0] == 0 {
			d.devices = append(d.devices, fmt.Sprintf("%s %d", d.api.Device, i))
			continue
		}
		d.devices = append(d.devices, C.GoString(&name[0]))
	}
	return nil
}

// Table returns the library's struct table; see the vendor's table.h.
func (d *Driver) Table() unsafe.Pointer { return unsafe.Pointer(d.t) }

// Name returns the name of the driver.
func (d *Driver) Name() string { return d.api.Name }

// ErrorName implements driver.ErrorNamer.
func (d *Driver) ErrorName(c driver.Code) string { return d.api.ErrorNames.ErrorName(c) }

// Library returns the name by which the library was opened.
func (d *Driver) Library() string { return d.lib.Path() }

// LoadedBefore reports whether the library was in the process before it was opened.
func (d *Driver) LoadedBefore() bool { return d.lib.LoadedBefore() }

// DeviceCount returns the number of devices.
func (d *Driver) DeviceCount() int { return len(d.devices) }

// DeviceName returns the vendor's name of a device; empty if the device does not exist.
func (d *Driver) DeviceName(device int) string {
	if device < 0 || device >= len(d.devices) {
		return ""
	}
	return d.devices[device]
}

// SetDevice makes device the calling thread's current device.
func (d *Driver) SetDevice(device int) error {
	if int(C.int(device)) != device {
		return d.refuse(d.v.row.device_set, d.v.status.invalid_device)
	}
	return d.check(C.gpu_device_set(d.t, C.uintptr_t(device)))
}

// Device returns the calling thread's current device.
func (d *Driver) Device() (int, error) {
	v := C.gpu_device_get(d.t)
	return int(v.value), d.check(v.status)
}

// DeviceSynchronize waits for the current device.
func (d *Driver) DeviceSynchronize() error { return d.check(C.gpu_device_synchronize(d.t)) }
