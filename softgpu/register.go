package softgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// registrations are ranges of memory: host memory that the program has registered, or memory that is shared with the
// device.
type registrations struct {
	mu sync.RWMutex
	at map[uintptr]uint64 // bytes by first address
}

// holds reports whether one registration covers bytes bytes at addr.
func (r *registrations) holds(addr uintptr, bytes uint64) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for lo, size := range r.at {
		if addr >= lo && uint64(addr-lo) <= size && bytes <= size-uint64(addr-lo) {
			return true
		}
	}
	return false
}

// around returns the registration that contains addr.
func (r *registrations) around(addr uintptr) (lo, hi uintptr, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for lo, size := range r.at {
		if addr >= lo && uint64(addr-lo) < size {
			return lo, lo + uintptr(size), true
		}
	}
	return 0, 0, false
}

func (r *registrations) add(addr uintptr, bytes uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at == nil {
		r.at = map[uintptr]uint64{}
	}
	r.at[addr] = bytes
}

func (r *registrations) remove(addr uintptr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.at, addr)
}

// HostRegister implements driver.Driver. The device can use all host memory anyway; registration makes copies
// asynchronous.
func (d *Driver) HostRegister(p driver.Ptr, bytes uint64) error {
	const call = "hipHostRegister"
	switch {
	case p == 0:
		return invalidValue.of(call, "null pointer")
	case bytes == 0:
		return invalidValue.of(call, "0 bytes at %#x", uintptr(p))
	}
	at, err := d.place(p, bytes)
	if err == nil && at == pageable {
		err = readableHost(uintptr(p), bytes)
	}
	if err != nil {
		return invalidValue.of(call, "%v", err)
	}
	r := &d.registered
	r.mu.Lock()
	defer r.mu.Unlock()
	for lo, size := range r.at {
		if uintptr(p) < lo+uintptr(size) && lo < uintptr(p)+uintptr(bytes) {
			return alreadyRegistered.of(call, "%d bytes at %#x overlap the %d registered at %#x", bytes, uintptr(p), size, lo)
		}
	}
	if r.at == nil {
		r.at = map[uintptr]uint64{}
	}
	r.at[uintptr(p)] = bytes
	return nil
}

// HostUnregister implements driver.Driver. It waits for the devices, which may be copying from or to the memory.
func (d *Driver) HostUnregister(p driver.Ptr) error {
	const call = "hipHostUnregister"
	r := &d.registered
	r.mu.Lock()
	_, ok := r.at[uintptr(p)]
	delete(r.at, uintptr(p))
	r.mu.Unlock()
	if !ok {
		return notRegistered.of(call, "nothing is registered at %#x: gpu.host_register, or mgpuMemHostRegister, comes first", uintptr(p))
	}
	for _, dev := range d.devices {
		dev.drain(nil)
	}
	return nil
}

// HostDevicePointer implements driver.Driver: the addresses are the same.
func (d *Driver) HostDevicePointer(p driver.Ptr) (driver.Ptr, error) {
	if !d.registered.holds(uintptr(p), 1) {
		return 0, invalidValue.of("hipHostGetDevicePointer", "%#x is not registered", uintptr(p))
	}
	return p, nil
}
