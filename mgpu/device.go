package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/ranks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// SetDefaultDevice makes device the calling thread's current device.
func (r *Runtime) SetDefaultDevice(device int32) {
	f, ok := r.enter(setDefaultDevice)
	if !ok {
		return
	}
	defer f.leave()
	if device < 0 || int(device) >= f.k.devices {
		f.failed(&driver.Error{Call: callNames[f.call], Code: driver.InvalidDevice,
			Detail: fmt.Sprintf("device %d: %s", device, ranks.There(f.k.devices))})
		return
	}
	f.failed(f.SetDevice(int(device)))
}

// DeviceCount returns the number of devices. If no driver can be opened, it reports the failure and returns zero.
func (r *Runtime) DeviceCount() int {
	k := r.open()
	if k == nil {
		r.failedToOpen(callNames[getDeviceCount])
		return 0
	}
	return k.devices
}

// BeginThread makes the process's chosen device current for the calling thread, before its first call. A thread whose
// current device is not the first one keeps its device: the program set it through the driver.
func (r *Runtime) BeginThread() {
	k := r.open()
	if k == nil || k.chosen == 0 {
		return // the call reports that there is no driver
	}
	before, err := k.drv.Device()
	if err == nil && before == 0 {
		err = k.drv.SetDevice(k.chosen)
	}
	if err != nil {
		r.report("MGPU_DEVICE", err)
	}
}

// device returns the calling thread's current device.
func (f *frame) device() (int, error) {
	if f.k.devices == 1 {
		return 0, nil
	}
	return f.Device()
}

// switchTo makes a device current and returns the device that was current before.
func (f *frame) switchTo(device int) (before int, err error) {
	before, err = f.device()
	if err == nil && before != device {
		err = f.SetDevice(device)
	}
	return before, err
}

// switchBack undoes a switchTo(device) that returned before.
func (f *frame) switchBack(before, device int) {
	if before != device {
		f.failed(f.SetDevice(before))
	}
}
