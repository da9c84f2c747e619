package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// MemFree frees memory from MemAlloc. Null is ignored.
func (r *Runtime) MemFree(ptr uintptr) Wait {
	f, ok := r.enter(memFree)
	if !ok {
		return Wait{}
	}
	if ptr == 0 {
		f.counters.others.Add(1)
		f.leave()
		return Wait{}
	}
	m := f.k.memory
	if m == nil {
		return f.freeByDriver(driver.Ptr(ptr))
	}
	f.forgetFreed(ptr)
	b, o, err := m.cache.Hold(ptr, callNames[memFree])
	switch {
	case o == alloccache.Passed:
		m.mixesFrees()
		return f.freeByDriver(driver.Ptr(ptr))
	case b == nil:
		f.counters.others.Add(1)
		f.failed(err)
		f.leave()
		return Wait{}
	}
	if w, waits := f.waitBeforeFree(b); waits {
		return w
	}
	device := b.Device() // read now: another thread may get the block once it is settled
	gone, o := m.cache.Settle(f.memory(), b)
	if o == alloccache.Deferred {
		f.k.noteFree(device)
	}
	return f.finishFree(gone, o)
}

// finishFree ends a free. The driver frees memory that the cache does not keep.
func (f *frame) finishFree(m alloccache.Memory, o alloccache.Outcome) Wait {
	f.traceMemory(m.Device)
	if o != alloccache.Given {
		f.leave()
		return Wait{}
	}
	if f.k.devices > 1 {
		f.countMiss()
		f.failed(f.memory().Release(m.Kind, m.Device, m.Ptr))
		f.leave()
		return Wait{}
	}
	return f.freeByDriver(m.Ptr)
}

// freeByDriver frees memory as MLIR's own wrapper does, outside Go if the driver allows it.
func (f *frame) freeByDriver(p driver.Ptr) Wait {
	f.countMiss()
	if f.k.waiter != nil {
		return f.startedInC(Wait{Blocking: f.k.waiter.WaitFree(p)})
	}
	f.failed(f.MemFree(p))
	f.leave()
	return Wait{}
}

// discard frees memory from alloc that no work has used.
func (f *frame) discard(p driver.Ptr) {
	if f.k.memory == nil {
		f.failed(f.MemFree(p))
		return
	}
	m, o, err := f.k.memory.cache.Free(f.memory(), uintptr(p))
	if o == alloccache.Given {
		err = f.memory().Release(m.Kind, m.Device, m.Ptr)
	}
	f.failed(err)
}

// Keep returns a block to the cache that C took from a thread's free list by mistake.
func (r *Runtime) Keep(ptr uintptr) {
	if k := r.core.Load(); k != nil && k.memory != nil {
		k.memory.cache.ReturnListed(ptr)
	}
}

// waitReason returns why a free on a device has to wait.
func (f *frame) waitReason(device int) waitReason {
	m := f.k.memory
	f.learnAddresses(device)
	if why := reasonToWait(m.untold(device), m.sharedWithHost.Load()); why != noReason || !f.k.anyStuck(device) {
		return why
	}
	return stuckStreams
}

// waitBeforeFree begins a free's wait for the device, on which the program may rely. waits is false if there is no
// reason to wait.
func (f *frame) waitBeforeFree(b *alloccache.Block) (w Wait, waits bool) {
	m := f.k.memory
	why := f.waitReason(b.Device())
	if why == noReason {
		return Wait{}, false
	}
	if !m.cache.Mark(b) || f.k.capturesAny(f.meter) {
		return Wait{}, false
	}
	d, ok := f.k.drv.(driver.DeviceSynchronizer)
	if !ok {
		return f.finishFree(m.cache.GiveUp(b)), true
	}
	m.waits[b.Device()][why].Add(1)
	f.r.cfg.Trace.On().Instant(trace.Note, waitReasonTexts[why])
	if dw, ok := d.(driver.DeviceWaiter); ok && f.k.devices == 1 && !f.k.unchecked {
		return f.startedInC(Wait{Blocking: dw.WaitDevice(), Handle: b.Ptr(), Effect: deviceIsIdle}), true
	}
	err := f.synchronizeDevice(d, b.Device())
	f.freeAfterWait(b.Ptr(), err == nil)
	f.failed(err)
	f.leave()
	return Wait{}, true
}
