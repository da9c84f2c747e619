package mgpu

import (
	"runtime"
	"sync/atomic"
)

// copyAddresses holds the addresses that copies read and write and that fills write, unless the library allocated that
// memory. Such memory may be managed, or page-locked by another library. A copy may then still run when its call
// returns, and the program may rely on a free's wait before it reads the destination or overwrites the source. Only a
// free needs to know, so only a free asks the driver. An address is stored after its submission was counted and before
// the driver call, by Go or by C (note_addresses in internal/fastpath/copy.c). So a free that finds the work pending
// and does not find the address came before that driver call.
//
//mgpu:struct copy_addresses slots unknown asking
type copyAddresses struct {
	slots   [addressSlots]atomic.Uintptr // zero: unused
	unknown atomic.Int32                 // addresses that were stored and that the driver has not been asked about yet
	asking  atomic.Int32                 // 1: a thread is asking the driver; a lock, which C takes too
}

// An address is stored in one of addressTries slots, beginning with the slot of its hash.
//
//mgpu:enum address addressSlots addressTries
const (
	addressSlots = 64
	addressTries = 4
)

// add stores an address. It returns false if there is no slot for the address.
//
//mgpu:func copy_addresses_add
func (a *copyAddresses) add(p uintptr) bool {
	for i := range uint64(addressTries) {
		slot := &a.slots[(uint64(p)*0x9E3779B97F4A7C15>>58+i)%addressSlots]
		old := slot.Load()
		if old == 0 {
			a.unknown.Add(1) // first, so that a thread that finds the address finds it counted
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

// known reports whether the driver has been asked about every address.
//
//mgpu:func copy_addresses_known
func (a *copyAddresses) known() bool { return a.unknown.Load() == 0 }

// lock waits until no other thread is asking the driver. A thread of C holds the lock for at most 64 queries of the
// driver.
func (a *copyAddresses) lock() {
	for !a.tryLock() {
		runtime.Gosched()
	}
}

//mgpu:func copy_addresses_try_lock
func (a *copyAddresses) tryLock() bool { return a.asking.CompareAndSwap(0, 1) }

//mgpu:func copy_addresses_unlock
func (a *copyAddresses) unlock() { a.asking.Store(0) }

// empty empties a slot and returns the address that was there; zero if there was none. The slot is emptied before the
// driver is asked: a copy that finds its address in the slot began before the query.
//
//mgpu:func copy_addresses_empty
func (a *copyAddresses) empty(slot uint64) uintptr {
	if a.slots[slot].Load() == 0 {
		return 0
	}
	return a.slots[slot].Swap(0)
}

// answered notes that the driver has been asked about an address that was in a slot. It is called after the answer has
// been recorded: until then, other frees wait for the answer.
//
//mgpu:func copy_addresses_answered
func (a *copyAddresses) answered() { a.unknown.Add(-1) }
