package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// null is what is known of the current device's null stream; nil where streams
// are not kept. ok is false, and the failure reported, where no device is current.
func (f *frame) null() (e *streampool.Entry, ok bool) {
	if len(f.k.nulls) == 0 {
		return nil, true
	}
	device, err := f.device()
	if f.failed(err) {
		return nil, false
	}
	return f.k.nulls[min(uint(device), uint(len(f.k.nulls)-1))], true
}

// submitted notes that a call that C made has put work into a stream. Which device's
// null stream it was is not known any more: any may have work then.
func (f *frame) submitted(stream uintptr) {
	if stream != 0 {
		f.k.pool.Find(stream).Submitted()
		return
	}
	for _, e := range f.k.nulls {
		e.Submitted()
	}
}

// synchronized notes that a stream or event was waited for.
func (f *frame) synchronized(handle uintptr, count uint64) {
	switch {
	case handle != 0:
		f.k.pool.Find(handle).Synchronized(count)
	case len(f.k.nulls) == 1:
		f.k.nulls[0].Synchronized(count)
	}
}

// pending appends a mark for every stream that may have work. It is the cache's
// Config.Pending.
func (k *core) pending(marks []alloccache.Mark) []alloccache.Mark {
	k.pool.Streams(func(e *streampool.Entry) bool {
		if e.Pending() {
			marks = append(marks, alloccache.Mark{Of: e, Count: e.Submissions()})
		}
		return true
	})
	return marks
}

// pendingOn is pending for one stream of the program's.
func (k *core) pendingOn(marks []alloccache.Mark, stream uintptr) []alloccache.Mark {
	e := k.pool.Find(stream)
	if e == nil {
		return k.pending(marks)
	}
	if e.Pending() {
		marks = append(marks, alloccache.Mark{Of: e, Count: e.Submissions()})
	}
	return marks
}

// sawForeign notes that the program uses a stream of another library's: what runs
// on it is never known, so from now on a device has to be asked as a whole.
func (f *frame) sawForeign(stream uintptr) {
	m := f.k.memory
	if m == nil {
		return
	}
	m.foreign.Submitted()
	if c, ok := f.k.drv.(driver.Capturer); ok {
		on, err := c.Capturing(driver.Stream(stream))
		m.foreignCapture.Store(on && err == nil)
	}
}

// reached notes that a mark is reached.
func (k *core) reached(m alloccache.Mark) {
	if e := m.Of.(*streampool.Entry); !e.Covers(m.Count) {
		e.Synchronized(m.Count)
	}
}

// deviceReached notes what a wait for the device of a block covers, and returns the
// marks that are left: of streams of other devices. Work of other devices that no
// stream accounts for holds the block no longer, as it does not hold the driver's free.
func (k *core) deviceReached(b *alloccache.Block) []alloccache.Mark {
	left := b.Marks()[:0]
	for _, m := range b.Marks() {
		switch e := m.Of.(*streampool.Entry); {
		case k.devices == 1 || e.Device() == b.Device():
			k.reached(m)
		case k.askable(e):
			left = append(left, m)
		}
	}
	return left
}

// capturing reports whether the program captures a stream, as far as the streams
// that it was given or has passed tell.
func (k *core) capturing(m *meter) bool {
	c, ok := k.drv.(driver.Capturer)
	if !ok {
		return false
	}
	if k.memory != nil && k.memory.foreignCapture.Load() {
		return true
	}
	found := false
	k.pool.Streams(func(e *streampool.Entry) bool {
		if e.Handle() != 0 && e.State() == streampool.Live {
			cell, t0 := m.in()
			on, err := c.Capturing(driver.Stream(e.Handle()))
			cell.out(t0)
			found = on && err == nil
		}
		return !found
	})
	return found
}

// synchronizeDevice waits for a device, and for all of them if its number is
// negative.
func (f *frame) synchronizeDevice(d driver.DeviceSynchronizer, device int) error {
	if device < 0 {
		for i := range f.k.devices {
			if err := f.synchronizeDevice(d, i); err != nil {
				return err
			}
		}
		return nil
	}
	before, err := f.switchTo(device)
	if err != nil {
		return err
	}
	defer f.switchBack(before, device)
	cell, t0 := f.in()
	defer cell.out(t0)
	return d.DeviceSynchronize()
}
