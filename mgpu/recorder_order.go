package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// RecordStreamCreated notes a stream that was made while recording: no work from
// before is pending on it.
func (r *Runtime) RecordStreamCreated(id, stream uintptr) {
	r.with(id, func(rec *recorder) string {
		rec.rec.Created(driver.Stream(stream))
		rec.made, rec.empty = stream, rec.f.k.pool.Find(stream).Submissions()
		return ""
	})
}

// RecordSynchronize records a wait for a stream. Before anything was recorded it is
// made: then neither is true.
func (r *Runtime) RecordSynchronize(id, stream uintptr) (recorded, over bool) {
	still := r.with(id, func(rec *recorder) string {
		if rec.rec.Len() == 0 {
			rec.order()
			return ""
		}
		f := rec.at(streamSynchronize)
		ok, why := rec.stream(f, stream)
		if ok {
			rec.rec.Synchronize(driver.Stream(stream))
			if e := f.k.pool.Find(stream); rec.made == stream && e.Submissions() == rec.empty {
				// Nothing was ever put into it: it goes back to the pool as idle as it came.
				e.Synchronized(rec.empty)
			}
		}
		recorded = why == ""
		return why
	})
	return recorded && still, !still
}

// RecordEventRecord records that an event is recorded.
func (r *Runtime) RecordEventRecord(id, event, stream uintptr) bool {
	return r.with(id, func(rec *recorder) string {
		f := rec.at(eventRecord)
		e, ok := f.find(event)
		if !ok {
			return ""
		}
		if e == nil || e.Kind() != streampool.Event {
			return "an event that the library did not make can't be recorded"
		}
		if ok, why := rec.stream(f, stream); !ok {
			return why
		}
		rec.rec.Record(driver.Event(event), driver.Stream(stream))
		return ""
	})
}

// RecordStreamWait records that a stream waits for an event, or a stream in its place.
func (r *Runtime) RecordStreamWait(id, stream, event uintptr) bool {
	return r.with(id, func(rec *recorder) string {
		f := rec.at(streamWaitEvent)
		if ok, why := rec.stream(f, stream); !ok {
			return why
		}
		e, ok := f.find(event)
		switch {
		case !ok:
			return ""
		case e != nil && e.Kind() == streampool.Stream:
			if ok, why := rec.stream(f, event); !ok {
				return why
			}
			rec.rec.WaitFor(driver.Stream(stream), driver.Stream(event))
			return ""
		case rec.rec.Wait(driver.Stream(stream), driver.Event(event)):
			return ""
		}
		return "a wait for an event from before can't be recorded"
	})
}

// RecordEventSynchronize records a wait for an event, or a stream in its place. An
// event from before is waited for.
func (r *Runtime) RecordEventSynchronize(id, event uintptr) (recorded, over bool) {
	recorded = true
	still := r.with(id, func(rec *recorder) string {
		f := rec.at(eventSynchronize)
		e, ok := f.find(event)
		switch {
		case !ok:
			return ""
		case e != nil && e.Kind() == streampool.Stream:
			ok, why := rec.stream(f, event)
			if ok {
				rec.rec.Synchronize(driver.Stream(event))
			}
			return why
		case rec.rec.Len() == 0:
			rec.order()
			recorded = false
			return ""
		}
		recorded = rec.rec.SynchronizeEvent(driver.Event(event))
		return ""
	})
	return recorded && still, !still
}

// RecordEventDestroyed notes that an event is about to be destroyed.
func (r *Runtime) RecordEventDestroyed(id, event uintptr) {
	r.with(id, func(rec *recorder) string {
		rec.rec.Forget(driver.Event(event))
		return ""
	})
}
