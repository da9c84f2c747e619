package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// noteAddresses stores addresses of a copy or fill until a free asks the driver about them. It is called after the
// submission has begun and before the driver call.
func (f *frame) noteAddresses(of ...uintptr) {
	m := f.k.memory
	if m == nil || !m.asksAddresses() {
		return
	}
	for _, p := range of {
		if b := m.cache.Find(p); b != nil && b.State() == alloccache.Live {
			continue
		}
		for !m.addresses.add(p) {
			f.askAddresses()
		}
	}
}

// askAddresses asks the driver about the memory at the addresses of copies, and notes whether host and device share any
// of it. It may miss addresses that other threads store meanwhile.
func (f *frame) askAddresses() {
	a := &f.k.memory.addresses
	a.lock()
	defer a.unlock()
	for i := range uint64(addressSlots) {
		if p := a.empty(i); p != 0 {
			if f.placeOf(p) == driver.Shared {
				f.k.memory.noteShared()
			}
			a.answered()
		}
	}
}

// learnAddresses makes sure that a free on a device knows the addresses of all copies that may be running there. The
// free would not wait for copies of other devices.
func (f *frame) learnAddresses(device int) {
	m := f.k.memory
	if m.asksAddresses() && f.anyPending(device) && !m.addresses.known() {
		f.askAddresses()
	}
}

// anyPending reports whether any stream may have work pending that belongs to the device, or to an unknown device.
func (f *frame) anyPending(device int) bool {
	found := false
	f.k.pool.Streams(func(e *streampool.Entry) bool {
		found = (e.Device() == device || e.Device() < 0) && e.Pending()
		return !found
	})
	return found
}

func (f *frame) placeOf(p uintptr) driver.Place {
	if b := f.k.memory.cache.Find(p); b != nil && b.State() == alloccache.Live {
		if b.Kind() == alloccache.Device {
			return driver.DeviceOnly
		}
		return driver.Shared
	}
	defer f.charge().stop()
	place, err := f.k.drv.(driver.Placer).PlaceOf(driver.Ptr(p))
	if err != nil {
		return driver.Shared // the memory may not be pageable: frees wait
	}
	return place
}
