package mgpu

import (
	"slices"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// While a thread has a scope open, its allocations don't end its recording: they are
// made at once. What is allocated and freed within a recording is not freed, since the
// graph goes on using it whenever it is launched: nobody else gets it until the graph
// does something else, and the next recording of the key allocates the same.

// lent is memory that was allocated while recording, or that a graph holds.
type lent struct {
	ptr   uintptr
	bytes uint64
	freed bool // by the program
	again bool // the graph held it before; of what that holds: the recording has it
}

// RecordAlloc allocates device memory for a recording. over: that is the caller's to
// do, as the recording is over.
func (r *Runtime) RecordAlloc(id uintptr, bytes uint64, stream uintptr, from Origin) (ptr uintptr, over bool) {
	still := r.with(id, func(rec *recorder) string {
		f := rec.at(memAlloc)
		m := f.k.memory
		if bytes == 0 {
			return ""
		}
		if m == nil || rec.notes || from.Session == 0 || m.fill != noFill {
			return "mgpuMemAlloc can't be recorded"
		}
		if device, err := f.device(); err != nil || device != rec.device {
			return "memory of another device can't be recorded"
		}
		q := alloccache.Request{Device: rec.device, Kind: alloccache.Device, Bytes: bytes, Stream: stream, Row: f.row, Site: from.Site,
			Session: m.cache.SessionOf(from.Session)}
		is := lent{ptr: rec.again(m, q), bytes: bytes}
		if is.again = is.ptr != 0; !is.again {
			m.free(f.k, rec.device)
			b, o, err := m.cache.Alloc(f.memory(), q)
			if err != nil { // there may be enough once what was freed is
				return "there is no memory for an allocation while the graph holds what was freed"
			}
			if o == alloccache.Allocated {
				f.miss()
			}
			is.ptr = b.Ptr()
		}
		ptr = is.ptr
		rec.lent = append(rec.lent, is)
		return ""
	})
	return ptr, !still
}

// again gives memory that the graph holds already, if it is as large. What was given
// the last time is given in the same order.
func (rec *recorder) again(m *memory, q alloccache.Request) uintptr {
	k := rec.of
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.held {
		at := (rec.given + i) % len(k.held)
		is := &k.held[at]
		if is.again || is.bytes != q.Bytes || q.Session == nil {
			continue
		}
		if b := m.cache.Find(is.ptr); b != nil && b.Device() == q.Device && m.cache.Again(b, q) {
			is.again = true
			rec.given = at + 1
			return is.ptr
		}
	}
	return 0
}

func (rec *recorder) lends(ptr uintptr) *lent {
	for i := len(rec.lent) - 1; i >= 0; i-- {
		if rec.lent[i].ptr == ptr {
			return &rec.lent[i]
		}
	}
	return nil
}

// RecordFree takes memory back that was allocated in the same recording.
func (r *Runtime) RecordFree(id, ptr uintptr) bool {
	return r.with(id, func(rec *recorder) string {
		f := rec.at(memFree)
		is := rec.lends(ptr)
		if is == nil || is.freed || !rec.waitsAsFreeDoes(f) {
			return "mgpuMemFree can't be recorded"
		}
		if rec.over {
			return ""
		}
		b, _, err := f.k.memory.cache.Hold(ptr, callNames[memFree])
		f.failed(err)
		is.freed = b != nil
		return ""
	})
}

// waitsAsFreeDoes waits for the device where the program may lean on the wait of a free,
// and has the recording's end do it again for what is recorded: see waitAsFreeDoes.
// false: only the free can do that.
func (rec *recorder) waitsAsFreeDoes(f *frame) bool {
	switch f.k.memory.waitReason(rec.device) {
	case noReason:
		return true
	case hostLooks:
		if _, rec.waits = f.k.drv.(driver.DeviceSynchronizer); rec.waits && !f.k.capturing(f.meter) {
			rec.waitForDevice(f)
		}
		return rec.waits
	}
	return false
}

// waitAsFreesDo makes the waits for the recording that its frees were spared.
func (rec *recorder) waitAsFreesDo(f *frame) {
	if rec.waits && !f.k.capturing(f.meter) {
		f.failed(f.synchronizeDevice(f.k.drv.(driver.DeviceSynchronizer), rec.device))
	}
}

// keep ends what was lent. graph tells whether the graph does what was recorded; then
// it holds what was freed, and no more what it held before. rec.of.mu is held.
func (rec *recorder) keep(f *frame, graph bool) {
	k := rec.of
	for _, is := range rec.lent {
		switch {
		case is.again && !is.freed: // the graph's earlier launches may use it
			k.wait(f)
		case !is.again && is.freed && !graph:
			f.release(is.ptr)
		}
	}
	if graph {
		for _, is := range k.held {
			if !is.again {
				f.release(is.ptr)
			}
		}
		k.held = k.held[:0]
		for _, is := range rec.lent {
			if is.freed {
				k.held = append(k.held, lent{ptr: is.ptr, bytes: is.bytes})
			}
		}
	} else {
		k.held = slices.DeleteFunc(k.held, func(is lent) bool { return is.again && !rec.lends(is.ptr).freed })
		for i := range k.held {
			k.held[i].again = false
		}
	}
	rec.lent = rec.lent[:0]
}

// wait waits for the graph's launches.
func (k *keyed) wait(f *frame) {
	e := f.k.pool.Find(uintptr(k.latest))
	if !e.Pending() || e.Lost() {
		return
	}
	covered := e.Submissions()
	if !f.failed(f.meter.StreamSynchronize(k.latest)) {
		e.Synchronized(covered)
	}
}

// release frees memory that was held, behind all that was submitted. Where work may be
// under way that nobody knows of the driver's free waits for it.
func (f *frame) release(ptr uintptr) {
	m := f.k.memory
	b := m.cache.Find(ptr)
	if b == nil {
		return
	}
	var gone alloccache.Memory
	o := alloccache.Given
	if m.level == alloccache.Strict && (m.foreign.Pending() || m.abandoned[b.Device()].Pending()) {
		gone, _ = m.cache.GiveUp(b)
	} else {
		gone, o = m.cache.Settle(f.memory(), b, 0)
	}
	if o == alloccache.Given {
		f.failed(f.memory().Release(gone.Kind, gone.Device, gone.Ptr))
	}
}
