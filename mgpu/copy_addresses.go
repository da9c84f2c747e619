package mgpu

import (
	"runtime"
	"sync/atomic"
)

// copyAddresses holds where copies read and write, and where fills write, unless the library
// allocated that memory. Such memory may be page-locked by another library, or managed: the
// copy is then under way when its call returns, and the program may wait by a free for what it
// writes, and before it overwrites what it reads. Only a free has to know, so nobody asks the
// driver before. An address is stored after its submission was counted and before the driver
// call, by Go or by C (note_addresses in internal/fastpath/copy.c): a free that finds work
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
//
//mgpu:func copy_addresses_add
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
//
//mgpu:func copy_addresses_known
func (a *copyAddresses) known() bool { return a.unknown.Load() == 0 }

// lock waits until no other thread asks. A thread of C asks for as long as the driver's
// answers to 64 questions take.
func (a *copyAddresses) lock() {
	for !a.tryLock() {
		runtime.Gosched()
	}
}

//mgpu:func copy_addresses_try_lock
func (a *copyAddresses) tryLock() bool { return a.asking.CompareAndSwap(0, 1) }

//mgpu:func copy_addresses_unlock
func (a *copyAddresses) unlock() { a.asking.Store(0) }

// empty empties a slot, and returns the address that was there; zero: none was. The slot is emptied
// before the driver is asked, since a copy that finds its address there began before the question.
//
//mgpu:func copy_addresses_empty
func (a *copyAddresses) empty(slot uint64) uintptr {
	if a.slots[slot].Load() == 0 {
		return 0
	}
	return a.slots[slot].Swap(0)
}

// answered notes the driver's answer about an address that was in a slot, after what the answer says
// was noted: until then other frees ask, and wait for the answer.
//
//mgpu:func copy_addresses_answered
func (a *copyAddresses) answered() { a.unknown.Add(-1) }
