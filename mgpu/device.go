package mgpu

var setDefaultDevice = call("mgpuSetDefaultDevice")

// SetDefaultDevice makes device the calling thread's current one.
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

// onDevice makes device current until restore is called.
func (f *frame) onDevice(device int) (restore func(), err error) {
	current, err := f.device()
	if err != nil || current == device {
		return func() {}, err
	}
	if err := f.SetDevice(device); err != nil {
		return nil, err
	}
	return func() { f.failed(f.SetDevice(current)) }, nil
}
