//go:build cgo

package vendor

import (
	"fmt"
	"slices"

	"github.com/mgpu-runtime/mgpu/internal/dl"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// API is what drivers differ in.
type API struct {
	Vendor    string   // whose numbers statuses are: "HIP"
	Kind      string   // what a library is: "HIP library"
	Files     []string // the names that it goes by, newest first
	dl.Layout          // of its table

	// Start makes the library of a table ready for calls, and finds its devices.
	Start func(table *dl.Table) error

	Codes map[int32]driver.Code // of statuses; those not listed are Unknown
	// Describe tells the vendor's name of a status, empty if there is none, and what
	// an error says besides, if anything.
	Describe func(status int32, code driver.Code) (name, detail string)
}

// Library is a vendor's library, and its devices: the part of a driver that does
// not depend on the vendor.
type Library struct {
	*dl.Library
	For string // what the library says that it is for, as messages add it to its path

	api     API
	devices []string // their names
}

// Open opens the first library that there is, file before those of the usual names
// if it is not empty, and succeeds if that has a device. The error tells of every
// library tried why it is not the one.
func (l *Library) Open(file string, api API) error {
	l.api = api
	files := api.Files
	if file != "" {
		files = append([]string{file}, files...)
	}
	_, err := dl.First(files, l.take)
	return err
}

// take makes a library the driver's. One of the right kind is the only one: two
// of a vendor's libraries in one process disturb each other.
func (l *Library) take(opened *dl.Library) error {
	table, err := opened.Table(l.api.Layout)
	if err != nil {
		return fmt.Errorf("not a %s: %w", l.api.Kind, err)
	}
	l.Library = opened
	return dl.Stop(l.api.Start(table))
}

// Found notes how many devices there are and what they are called. none is the
// status of a call that finds none.
func (l *Library) Found(count int, none int32, name func(device int) string) error {
	if count <= 0 {
		e := l.Failure(none)
		e.Detail = "it counts 0 devices"
		return e
	}
	for i := range count {
		l.devices = append(l.devices, name(i))
	}
	return nil
}

// Has tells whether the library has all of the functions, optional as they are.
func (l *Library) Has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return l.Symbol(name) == 0 })
}

// DeviceCount is the number of devices.
func (l *Library) DeviceCount() int { return len(l.devices) }

// DeviceName is what the library calls a device, empty if there is no such one.
func (l *Library) DeviceName(device int) string {
	if device < 0 || device >= len(l.devices) {
		return ""
	}
	return l.devices[device]
}
