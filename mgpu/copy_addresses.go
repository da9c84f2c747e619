package mgpu

import (
	"runtime"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// copyAddresses holds where copies read and write, and where fills write, unless the library
// allocated that memory. Such memory may be page-locked by another library, or managed: the
// copy is then under way when its call returns, and the program may wait by a free for what it
// writes, and before it overwrites what it reads. Only a free has to know, so nobody asks the
// driver before. An address is stored after its submission was counted and before the driver
// call, by Go or by C (note_address in internal/fastpath/copy.c): a free that finds work
// pending, and not the address, came before that driver call.
//
//mgpu:struct copy_addresses slots unknown asking
type copyAddresses struct {
	slots   [addressSlots]atomic.Uintptr // zero: unused
	unknown atomic.Int32                 // addresses that were stored and for which there is no answer yet
	asking  atomic.Int32                 // 1: a thread asks; a lock, which C takes too
}

// An address is stored in one of a few slots, from the one of its hash on.
//
//mgpu:enum address addressSlots addressTries
const (
	addressSlots = 64
	addressTries = 4
)

// add stores an address. It returns false if there is no slot for the address.
func (a *copyAddresses) add(p uintptr) bool {
	for i := range uint64(addressTries) {
		slot := &a.slots[(uint64(p)*0x9E3779B97F4A7C15>>58+i)%addressSlots]
		old := slot.Load()
		if old == 0 {
			a.unknown.Add(1) // first: who finds the address has it counted
			if slot.CompareAndSwap(0, p) {
				return true
			}
			a.unknown.Add(-1)
			old = slot.Load()
		}
		if old == p {
			return true
		}
	}
	return false
}

// known reports whether every address that was added is known.
func (a *copyAddresses) known() bool { return a.unknown.Load() == 0 }

// lock waits until no other thread asks. A thread of C asks for as long as the driver's
// answers to 64 questions take.
func (a *copyAddresses) lock() {
	for !a.asking.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}

func (a *copyAddresses) unlock() { a.asking.Store(0) }

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

// asksAddresses reports whether addresses matter: frees may return early, and do not wait for
// the device anyway.
func (m *memory) asksAddresses() bool {
	return m.knowsPlaces && !m.sharedWithHost.Load()
}

// askAddresses asks the driver what lies at the addresses of copies, and notes whether host
// and device share any. Addresses that other threads store meanwhile may be left.
func (f *frame) askAddresses() {
	a := &f.k.memory.addresses
	a.lock()
	defer a.unlock()
	for i := range a.slots {
		// Emptied first: a copy that found its address there began before the question.
		if p := a.slots[i].Swap(0); p != 0 {
			if f.placeOf(p) == driver.Shared {
				f.k.noteShared()
			}
			a.unknown.Add(-1) // last: until then other frees ask, and wait for this answer
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
