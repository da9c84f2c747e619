package mgpu

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// destinations holds where copies write whose memory the library did not allocate. Such
// memory may be page-locked by another library: the copy is then under way when its call
// returns, and the program may wait for it by a free. Only a free has to know, so nobody asks
// the driver before. A destination is stored after its submission was counted and before the
// driver call, by Go or by C (note_destination in internal/fastpath/copy.c): a free that finds
// work pending, and not the destination, came before that driver call.
//
//mgpu:struct destinations slots asking
type destinations struct {
	slots  [destinationSlots]atomic.Uintptr // zero: unused
	asking atomic.Int32                     // threads that have emptied slots and don't know the answers yet
	mu     sync.Mutex                       // held while asking
}

// An address is stored in one of a few slots, from the one of its hash on.
//
//mgpu:enum destination destinationSlots destinationTries
const (
	destinationSlots = 64
	destinationTries = 4
)

// add stores an address. It returns false if there is no slot for the address.
func (d *destinations) add(p uintptr) bool {
	for i := range uint64(destinationTries) {
		slot := &d.slots[(uint64(p)*0x9E3779B97F4A7C15>>58+i)%destinationSlots]
		if old := slot.Load(); old == p || old == 0 && slot.CompareAndSwap(0, p) {
			return true
		}
	}
	return false
}

// empty reports whether every destination that was added is known.
func (d *destinations) empty() bool {
	for i := range d.slots {
		if d.slots[i].Load() != 0 {
			return false
		}
	}
	return d.asking.Load() == 0 // read last: emptied slots have been counted by then
}

// noteDestination stores a copy's destination until a free asks. Between the begin of the
// copy's submission and the driver call.
func (f *frame) noteDestination(dst uintptr) {
	m := f.k.memory
	if m == nil || !m.asksDestinations() || m.cache.Find(dst) != nil {
		return
	}
	for !m.destinations.add(dst) {
		f.askDestinations()
	}
}

// asksDestinations reports whether destinations matter: frees may return early, and do not
// wait for the device anyway.
func (m *memory) asksDestinations() bool {
	return m.knowsPlaces && m.level == alloccache.Strict && !m.sharedWithHost.Load()
}

// askDestinations asks the driver what lies at the destinations of copies, and notes whether
// host and device share any.
func (f *frame) askDestinations() {
	d := &f.k.memory.destinations
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asking.Add(1)
	defer d.asking.Add(-1)
	for i := range d.slots {
		// Emptied first: a copy that found its destination there began before the question.
		if p := d.slots[i].Swap(0); p != 0 && f.placeOf(p) == driver.Shared {
			f.k.noteShared()
		}
	}
}

// learnDestinations makes sure that a free on a device knows the destinations of all copies
// that may be under way there. It would not wait for those of other devices.
func (f *frame) learnDestinations(device int) {
	m := f.k.memory
	if m.asksDestinations() && f.anyPending(device) && !m.destinations.empty() {
		f.askDestinations()
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
