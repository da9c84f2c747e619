package main

import (
	"errors"
	"os"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/ranks"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

// opener opens one kind of driver with the settings of an environment.
type opener struct {
	name string
	open func(get func(name string) string) (driver.Driver, error)
}

// openers are the drivers in the order in which the library tries them.
func openers() []opener { return append(vendors(), opener{"soft", openSoft}) }

func openSoft(get func(string) string) (driver.Driver, error) {
	o, err := softgpu.FromEnvironment(get)
	if err != nil {
		return nil, err
	}
	return softgpu.Open(o)
}

// gpuPaths are the files by which the kernel offers GPUs.
var gpuPaths = []string{"/dev/kfd", "/dev/dxg", "/dev/nvidiactl", "/dev/nvidia0"}

// get returns the value of an environment variable; empty if it is not set.
func (d *doctor) get(name string) string { return value(d.env, name) }

// drivers opens each driver, and says which one the library uses.
func (d *doctor) drivers() {
	d.heading("drivers")
	for _, path := range d.devices {
		switch err := usable(path); {
		case err == nil:
			d.say("%s is there", path)
		case !errors.Is(err, os.ErrNotExist):
			d.wrong("%s can't be used: %v", path, err)
			d.hint("users of AMD GPUs are in the groups render and video: usermod -aG render,video $USER, and log in again")
		}
	}
	wanted := d.get("MGPU_DRIVER")
	if err := settings.Find("MGPU_DRIVER").Wrong(wanted); wanted != "" && err != nil {
		d.wrong("MGPU_DRIVER=%s: %v", wanted, err)
	}
	for _, s := range []struct {
		name, done, does string
		asks             func(list string) (bool, error)
	}{{"MGPU_CHECK", "checked", "checks", softgpu.AsksForChecks}, {"MGPU_PROFILE", "profiled", "profiles", softgpu.AsksForProfile}} {
		switch asked, err := s.asks(d.get(s.name)); {
		case !asked && err == nil:
		case wanted == "":
			wanted = "soft"
		case wanted != "soft" && err == nil:
			d.wrong("%s=%s is ignored: with MGPU_DRIVER=%s nothing is %s", s.name, d.get(s.name), wanted, s.done)
			d.hint("the software GPU %s: MGPU_DRIVER=soft, or no MGPU_DRIVER", s.does)
		}
	}
	taken := ""
	for _, o := range d.openers {
		drv, err := o.open(d.get)
		if err != nil {
			d.refused(o.name, err, o.name == wanted)
			continue
		}
		mark := ""
		if taken == "" && (wanted == "" || wanted == o.name) {
			taken, mark = o.name, ": programs use it"
		}
		d.say("%s opens%s", o.name, mark)
		for i := range drv.DeviceCount() {
			d.say("  device %d: %s", i, drv.DeviceName(i))
		}
		if mark != "" {
			d.chosen(drv.DeviceCount())
		}
	}
	d.used = taken
	if taken == "" && wanted == "" && d.problems == 0 {
		d.wrong("no driver opens: every call of a program fails")
	}
	if wanted == "null" {
		d.say("null does nothing, and takes no time")
	}
	if taken == "soft" && wanted == "" {
		d.hint("no GPU was found, and programs print a line that says so; MGPU_DRIVER=soft turns the line off")
	}
	if limit := d.limit(); limit < leastAddresses {
		d.wrong("ulimit -v is %d MiB: the library needs 2 GiB of addresses", limit>>20)
	}
}

// refused says why a driver can't be opened. A wrong setting is a problem even if programs use another driver.
func (d *doctor) refused(name string, err error, asked bool) {
	var setting *settings.WrongValue
	switch {
	case errors.As(err, &setting):
		d.say("%s can't be opened", name)
		d.wrong("%v", err)
	case asked:
		d.wrong("%s can't be opened, and is asked for: %v", name, err)
	default:
		d.say("%s can't be opened: %v", name, err)
	}
}

// chosen says which device threads have at first, if MGPU_DEVICE selects one.
func (d *doctor) chosen(devices int) {
	switch _, how, err := ranks.Device(d.get, devices); {
	case err != nil:
		d.wrong("%v", err)
	case how != "":
		d.say("  threads begin with %s", how)
	}
}

// leastAddresses is the address space that a Go runtime reserves, plus some for the program.
const leastAddresses = 2 << 30

func addressLimit() uint64 {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &l) != nil {
		return ^uint64(0)
	}
	return l.Cur
}

// usable returns an error if a file can't be used.
func usable(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}
