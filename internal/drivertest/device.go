package drivertest

import (
	"runtime"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var deviceTests = []conformance{
	{"device/there is one with a name", func(x *exam) {
		n := x.d.DeviceCount()
		if n < 1 {
			x.fatalf("DeviceCount is %d", n)
		}
		for i := range n {
			x.want(x.d.DeviceName(i) != "", "every device has a name")
		}
		x.want(x.d.Name() != "", "the driver has a name")
	}},
	{"device/names of others are empty", func(x *exam) {
		x.want(x.d.DeviceName(-1) == "", "device -1 has no name")
		x.want(x.d.DeviceName(x.d.DeviceCount()) == "", "the device after the last has no name")
	}},
	{"device/one that is not there can't be current", func(x *exam) {
		x.fails(x.d.SetDevice(x.d.DeviceCount()), "SetDevice(count)", driver.InvalidDevice)
		x.fails(x.d.SetDevice(-1), "SetDevice(-1)", driver.InvalidDevice)
		x.want(x.current() == 0, "a failed SetDevice changes nothing")
	}},
	{"device/each thread has its own", func(x *exam) {
		last := x.d.DeviceCount() - 1
		x.ok(x.d.SetDevice(last), "SetDevice(last)")
		defer func() { x.ok(x.d.SetDevice(0), "SetDevice(0)") }()
		var fresh int
		var err error
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread() // the thread ends with the goroutine
			fresh, err = x.d.Device()
			if err == nil {
				err = x.d.SetDevice(0)
			}
		}()
		<-done
		x.ok(err, "Device and SetDevice in another thread")
		x.want(fresh == 0, "a new thread begins with device 0")
		x.want(x.current() == last, "another thread's SetDevice changes nothing here")
	}},
}

func (x *exam) current() int {
	i, err := x.d.Device()
	x.ok(err, "Device")
	return i
}
