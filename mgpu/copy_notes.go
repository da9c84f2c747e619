package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// noteAddresses stores addresses of a copy or fill until a free asks. Between the begin of the
// submission and the driver call.
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

// askAddresses asks the driver what lies at the addresses of copies, and notes whether host
// and device share any. Addresses that other threads store meanwhile may be left.
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

// learnAddresses makes sure that a free on a device knows the addresses of all copies that may
// be under way there. It would not wait for those of other devices.
func (f *frame) learnAddresses(device int) {
	m := f.k.memory
	if m.asksAddresses() && f.anyPending(device) && !m.addresses.known() {
		f.askAddresses()
	}
}

// anyPending reports whether any stream of a device, or of a device that is not known, may
// have work.
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
		return driver.Shared // not known to be pageable: frees wait
	}
	return place
}
