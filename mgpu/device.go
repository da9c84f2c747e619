package mgpu

// SetDefaultDevice makes a device the calling thread's current one.
func (r *Runtime) SetDefaultDevice(device int32) {
	f, ok := r.enter(setDefaultDevice)
	if !ok {
		return
	}
	defer f.leave()
	f.failed(f.SetDevice(int(device)))
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
