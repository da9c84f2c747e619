package mgpu

import (
	"errors"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// memoryView is the alloccache.Driver for calls of one mgpu function.
type memoryView view

func (f *frame) memory() *memoryView { return (*memoryView)(f.view) }

// frame makes a frame of the view's mgpu function.
func (v *memoryView) frame() frame { return v.r.frameOf(v.k, v.call) }

// Allocate implements alloccache.Driver. It relaxes the capture mode, so that an allocation does not end a capture by
// the program.
func (v *memoryView) Allocate(kind alloccache.Kind, bytes uint64) (driver.Ptr, error) {
	if v.k.unchecked || v.k.capturesAny(v.meter) {
		f := v.frame()
		defer f.relaxCapture()()
	}
	if kind == alloccache.Managed {
		return v.MemAllocManaged(bytes)
	}
	return v.MemAlloc(bytes)
}

// Release implements alloccache.Driver. If the device can't be made current, the memory is freed anyway, since drivers
// find it by its address.
func (v *memoryView) Release(kind alloccache.Kind, device int, p driver.Ptr) error {
	f := v.frame()
	before, err := f.switchTo(device)
	if err == nil {
		defer f.switchBack(before, device)
	}
	if v.k.unchecked {
		defer f.relaxCapture()()
	}
	return errors.Join(err, v.MemFree(p))
}

// Quiet implements alloccache.Driver.
func (v *memoryView) Quiet() bool { return v.k.capturesAny(v.meter) }

// Reached implements alloccache.Driver. A stream with later work is not idle when the mark is reached. For such a
// stream it records a checkpoint, which answers a later query.
func (v *memoryView) Reached(m alloccache.Mark) (bool, error) {
	e := m.Of.(*streampool.Entry)
	if e.Covers(m.Count) {
		return true, nil
	}
	f := v.frame()
	if !v.k.mayAsk(e) {
		return f.progressReached(e, m.Count)
	}
	if !canQuery(e) || !e.Pin() {
		return false, nil
	}
	defer e.Unpin()
	before, err := f.switchTo(e.Device())
	if err != nil {
		return false, err
	}
	defer f.switchBack(before, e.Device())
	count := e.Submissions()
	if f.StreamCondition(driver.Stream(e.Handle())) != streampool.Usable {
		return false, nil // an event recorded on the stream now would belong to the program's capture
	}
	idle, err := f.StreamIdle(driver.Stream(e.Handle()))
	if err != nil {
		return false, err
	}
	if idle {
		e.Synchronized(count)
		return e.Covers(m.Count), nil // false if a call that submits has not returned
	}
	return f.checkpointPassed(e, m.Count)
}

// Await implements alloccache.Driver. The program did not ask for this wait, so it must not end a capture. If a
// submission's call had not returned when the wait began, Await waits again.
func (v *memoryView) Await(m alloccache.Mark) error {
	e := m.Of.(*streampool.Entry)
	f := v.frame()
	if c, ok := v.drv.(driver.Capturer); ok {
		defer relaxCaptureMode(c).restore()
	}
	if !v.k.mayAsk(e) {
		return f.awaitProgress(e, m.Count)
	}
	if !canQuery(e) || !e.Pin() {
		return f.awaitDevice(e, m.Count)
	}
	defer e.Unpin()
	if f.StreamCondition(driver.Stream(e.Handle())) == streampool.Unknown {
		return f.awaitDevice(e, m.Count)
	}
	before, err := f.switchTo(e.Device())
	if err != nil {
		return err
	}
	defer f.switchBack(before, e.Device())
	return waitUntilCovered(e, m.Count, func() error { return f.StreamSynchronize(driver.Stream(e.Handle())) })
}

// freeAfterWait returns a block to the cache after the wait for the device. done means that the wait succeeded.
func (f *frame) freeAfterWait(ptr uintptr, done bool) {
	m := f.k.memory
	b := m.cache.Find(ptr)
	if !done { // work may still be running: the driver's free waits for the device
		gone, _ := m.cache.GiveUp(b)
		_ = f.memory().Release(gone.Kind, gone.Device, gone.Ptr)
		return
	}
	if gone, o := m.cache.SettleAfter(f.memory(), b, f.k.marksAfterDeviceWait(b)...); o == alloccache.Given {
		f.countMiss()
		f.failed(f.memory().Release(gone.Kind, gone.Device, gone.Ptr))
	}
}
