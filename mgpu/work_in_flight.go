package mgpu

import (
	"runtime"
	"slices"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// nullStream returns the entry of the current device's null stream; nil if streams are not tracked. If no device is
// current, nullStream reports the failure and ok is false.
func (f *frame) nullStream() (e *streampool.Entry, ok bool) {
	if len(f.k.nulls) == 0 {
		return nil, true
	}
	device, err := f.device()
	if f.failed(err) {
		return nil, false
	}
	return f.k.nulls[min(uint(device), uint(len(f.k.nulls)-1))], true
}

// entryOf returns the entry of a stream to which work is submitted.
func (f *frame) entryOf(stream driver.Stream) *streampool.Entry {
	if stream != 0 {
		return f.k.pool.Find(uintptr(stream))
	}
	e, _ := f.nullStream()
	return e
}

// synchronized marks a stream or event as idle up to count. Handle zero is the null stream.
func (f *frame) synchronized(handle uintptr, count uint64) {
	switch {
	case handle != 0:
		f.k.pool.Find(handle).Synchronized(count)
	case len(f.k.nulls) == 1:
		f.k.nulls[0].Synchronized(count)
	}
}

// pendingMarks appends a mark for each stream that may have work in flight. See
// alloccache.Config.Pending.
func (k *core) pendingMarks(marks []alloccache.Mark) []alloccache.Mark {
	k.pool.Streams(func(e *streampool.Entry) bool {
		if e.Pending() {
			marks = append(marks, markLatest(e))
		}
		return true
	})
	return marks
}

// markLatest returns a mark at the stream's latest submission.
func markLatest(e *streampool.Entry) alloccache.Mark {
	latest, returned := e.Latest()
	return alloccache.Mark{Of: e, Count: latest, Returned: returned}
}

// sawForeign notes that the program uses a stream of another library. The library can't learn that stream's progress,
// so frees wait for the device from now on.
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

// marksAfterDeviceWait records which submissions a wait for the block's device covers. It returns the marks that the
// wait does not cover: of other devices' streams, and of calls that had not returned when the wait began. Work of other
// devices on unknown streams is ignored, since the driver's free does not wait for it either.
func (k *core) marksAfterDeviceWait(b *alloccache.Block) []alloccache.Mark {
	left := b.Marks()[:0]
	for _, m := range b.Marks() {
		e := m.Of.(*streampool.Entry)
		sameDevice := k.devices == 1 || e.Device() == b.Device()
		if sameDevice {
			e.Synchronized(m.Returned)
		}
		switch {
		case sameDevice && e.Covers(m.Count):
		case sameDevice || canQuery(e):
			left = append(left, m)
		}
	}
	return left
}

// synchronizeDevice waits for a device; for all devices if device is negative.
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
	if f.k.unchecked {
		return f.waitByFree(d)
	}
	defer f.charge().stop()
	return d.DeviceSynchronize()
}

// waitBytes is the size of the memory of waitByFree.
const waitBytes = 256

// waitByFree waits for the current device by freeing memory, as stock's free does. A relaxed free ends no capture, where
// libcuda's wait for a context does.
func (f *frame) waitByFree(d driver.DeviceSynchronizer) error {
	defer f.relaxCapture()()
	if p, err := f.MemAlloc(waitBytes); err == nil {
		return f.MemFree(p)
	}
	defer f.charge().stop()
	return d.DeviceSynchronize()
}

// followDevices waits, once for each device, for streams that can't be waited for themselves. It returns false if it
// can't wait because the program captures a stream.
func (f *frame) followDevices(of []*streampool.Entry) bool {
	if len(of) == 0 {
		return true
	}
	d, ok := f.k.drv.(driver.DeviceSynchronizer)
	if !ok || f.k.capturesAny(f.meter) {
		return false
	}
	counts := make([]uint64, len(of))
	for i, e := range of {
		counts[i] = e.Submissions()
	}
	for i, e := range of {
		if slices.ContainsFunc(of[:i], func(before *streampool.Entry) bool { return before.Device() == e.Device() }) || f.synchronizeDevice(d, e.Device()) != nil {
			continue
		}
		for j, other := range of {
			if other.Device() == e.Device() {
				other.Synchronized(counts[j])
			}
		}
	}
	return true
}

// awaitDevice waits for a stream's submissions up to count by waiting for the device.
func (f *frame) awaitDevice(e *streampool.Entry, count uint64) error {
	d, ok := f.k.drv.(driver.DeviceSynchronizer)
	if !ok {
		return &driver.Error{Call: callNames[f.call], Code: driver.NotSupported, Detail: "the driver can't wait for a device"}
	}
	return waitUntilCovered(e, count, func() error { return f.synchronizeDevice(d, e.Device()) })
}

// waitUntilCovered repeats wait until all submissions up to count are done.
func waitUntilCovered(e *streampool.Entry, count uint64, wait func() error) error {
	for {
		covers := e.Submissions()
		if err := wait(); err != nil {
			return err
		}
		if e.Synchronized(covers); e.Covers(count) {
			return nil
		}
		runtime.Gosched()
	}
}

// canQuery reports whether the driver can be queried about an entry's work alone: the entry is a stream that still
// exists.
func canQuery(e *streampool.Entry) bool {
	return e.Source().Told() && !e.Lost()
}
