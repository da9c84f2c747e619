package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
)

// While a thread has a scope open, its allocations don't end its recording: they are
// made at once. What is allocated and freed within a recording is not freed, since the
// graph goes on using it whenever it is launched: nobody else gets it until the graph
// does something else, and the next recording of the key allocates the same.

// lent is memory that was allocated while recording.
type lent struct {
	ptr   uintptr
	bytes uint64
	freed bool
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
		if m == nil || from.Session == 0 || m.fill != noFill {
			return "mgpuMemAlloc can't be recorded"
		}
		if device, err := f.device(); err != nil || device != rec.device {
			return "memory of another device can't be recorded"
		}
		q := alloccache.Request{Device: rec.device, Kind: alloccache.Device, Bytes: bytes, Stream: stream, Row: f.row, Site: from.Site,
			Session: m.cache.SessionOf(from.Session)}
		if ptr = rec.again(m, q); ptr == 0 {
			ptr = f.alloc(alloccache.Device, bytes, stream, from)
		}
		if ptr != 0 {
			rec.lent = append(rec.lent, lent{ptr: ptr, bytes: bytes})
		}
		return ""
	})
	return ptr, !still
}

// again gives memory that the graph holds already, if it is as large.
func (rec *recorder) again(m *memory, q alloccache.Request) uintptr {
	k := rec.of
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, is := range k.held {
		if is.bytes != q.Bytes || rec.lends(is.ptr) != nil || q.Session == nil {
			continue
		}
		if b := m.cache.Find(is.ptr); b != nil && b.Device() == q.Device && m.cache.Again(b, q) {
			return is.ptr
		}
	}
	return 0
}

func (rec *recorder) lends(ptr uintptr) *lent {
	for i := range rec.lent {
		if rec.lent[i].ptr == ptr {
			return &rec.lent[i]
		}
	}
	return nil
}

// RecordFree takes memory back that was allocated in the same recording.
func (r *Runtime) RecordFree(id, ptr uintptr) bool {
	return r.with(id, func(rec *recorder) string {
		is := rec.lends(ptr)
		if is == nil || is.freed {
			return "mgpuMemFree can't be recorded"
		}
		f := rec.at(memFree)
		b, _, err := f.k.memory.cache.Hold(ptr, callNames[memFree])
		f.failed(err)
		is.freed = b != nil
		return ""
	})
}

// keep ends what was lent. graph tells whether the graph does what was recorded; then
// it holds what was freed, and no more what it held before. rec.of.mu is held.
func (rec *recorder) keep(f *frame, graph bool) {
	k := rec.of
	if len(rec.lent) == 0 && (len(k.held) == 0 || !graph) {
		return
	}
	before := k.held
	if graph {
		k.held = nil
	}
	for _, is := range rec.lent {
		switch {
		case !is.freed:
			k.held = without(k.held, is.ptr)
			before = without(before, is.ptr)
		case graph:
			k.held = append(k.held, is)
			before = without(before, is.ptr)
		case !contains(before, is.ptr):
			f.release(is.ptr)
		}
	}
	if graph {
		for _, is := range before {
			f.release(is.ptr)
		}
	}
	rec.lent = rec.lent[:0]
}

func contains(all []lent, ptr uintptr) bool {
	for _, is := range all {
		if is.ptr == ptr {
			return true
		}
	}
	return false
}

func without(all []lent, ptr uintptr) (rest []lent) {
	for _, is := range all {
		if is.ptr != ptr {
			rest = append(rest, is)
		}
	}
	return rest
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
