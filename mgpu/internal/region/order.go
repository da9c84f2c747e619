package region

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// RecordStreamCreated notes a stream that was created within the recording: no earlier work is pending on it.
func (r *Regions) RecordStreamCreated(id, stream uintptr) {
	r.inRecordingOfOrder(id, func(rec *recorder) string {
		rec.rec.Created(driver.Stream(stream))
		rec.newStreams[stream] = rec.on(LaunchKernel).Pool().Find(stream).Submissions()
		return ""
	})
}

// RecordSynchronize records a wait for a stream. If both results are false, the stream has no recorded work, and the
// caller waits.
func (r *Regions) RecordSynchronize(id, stream uintptr) (recorded, over bool) {
	still := r.inRecordingOfOrder(id, func(rec *recorder) (why string) {
		recorded, why = rec.synchronize(rec.on(StreamSynchronize), stream)
		return why
	})
	return recorded && still, !still
}

// synchronize records a wait for a stream with recorded work.
func (rec *recorder) synchronize(c Calls, stream uintptr) (recorded bool, why string) {
	s := driver.Stream(stream)
	if s != 0 && !rec.rec.Knows(s) {
		return false, ""
	}
	if ok, why := rec.commands.use(rec, c, stream); !ok {
		return true, why
	}
	before := rec.rec.Synchronize(s)
	if created, ok := rec.newStreams[stream]; ok {
		if e := c.Pool().Find(stream); e.Submissions() == created {
			e.Synchronized(created) // the stream has had no work: it returns to the pool as idle
		}
	}
	return true, rec.waitBefore(c, s, before)
}

// RecordEventRecord records mgpuEventRecord.
func (r *Regions) RecordEventRecord(id, event, stream uintptr) bool {
	return r.inRecordingOfOrder(id, func(rec *recorder) string {
		c := rec.on(EventRecord)
		e, ok := c.Find(event)
		if !ok {
			return ""
		}
		if e == nil || e.Kind() != streampool.Event {
			return "an event that the library did not make can't be recorded"
		}
		if ok, why := rec.commands.use(rec, c, stream); !ok {
			return why
		}
		rec.rec.Record(driver.Event(event), driver.Stream(stream))
		return ""
	})
}

// RecordStreamWait records mgpuStreamWaitEvent. event may be a stream.
func (r *Regions) RecordStreamWait(id, stream, event uintptr) bool {
	return r.inRecordingOfOrder(id, func(rec *recorder) string {
		c := rec.on(StreamWaitEvent)
		if ok, why := rec.commands.use(rec, c, stream); !ok {
			return why
		}
		e, ok := c.Find(event)
		switch {
		case !ok:
			return ""
		case e != nil && e.Kind() == streampool.Stream:
			if ok, why := rec.commands.use(rec, c, event); !ok {
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

// RecordEventSynchronize records a wait for an event, or for a stream that is passed as an event. The results are those
// of [Regions.RecordSynchronize].
func (r *Regions) RecordEventSynchronize(id, event uintptr) (recorded, over bool) {
	still := r.inRecordingOfOrder(id, func(rec *recorder) (why string) {
		c := rec.on(EventSynchronize)
		e, ok := c.Find(event)
		switch {
		case !ok:
			recorded = true
			return ""
		case e != nil && e.Kind() == streampool.Stream:
			recorded, why = rec.synchronize(c, event)
			return why
		}
		var before launchgraph.Before
		if before, recorded = rec.rec.SynchronizeEvent(driver.Event(event)); recorded {
			return rec.waitBefore(c, driver.Stream(rec.lastStream), before)
		}
		return ""
	})
	return recorded && still, !still
}

// RecordEventDestroyed notes that the program is about to destroy an event.
func (r *Regions) RecordEventDestroyed(id, event uintptr) {
	r.inRecordingOfOrder(id, func(rec *recorder) string {
		rec.rec.Forget(driver.Event(event))
		return ""
	})
}
