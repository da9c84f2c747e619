package region

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// A recorded wait of the host is put off for recorded work only. Work from before the
// recording is waited for at once, since the program may read its results. Each stream that
// had such work has a join, whose event is behind it.

// waitBefore waits for work from before the recording. s is a stream to order behind the
// default stream's work.
func (rec *recorder) waitBefore(c Calls, s driver.Stream, before launchgraph.Before) (why string) {
	if rec.nullPending && before.OfDefault() {
		if e := c.Pool().Find(uintptr(s)); e == nil || e.Stale() {
			var ok bool
			if s, ok = rec.ownStream(c); !ok {
				return "there is no stream for it"
			}
		}
		if why = rec.join(c, s); why != "" {
			return why
		}
		rec.nullPending = false
		rec.waitForJoin(c, len(rec.joins)-1)
	}
	for i := 0; i < len(rec.joins) && !rec.ended; i++ {
		if j := &rec.joins[i]; j.unawaited() && rec.rec.Of(j.stream, before) {
			rec.waitForJoin(c, i)
		}
	}
	return ""
}

func (j *join) unawaited() bool { return !j.awaited && !j.behindParts }

// waitForJoin waits for a join's event. Another thread may end the recording meanwhile.
func (rec *recorder) waitForJoin(c Calls, i int) {
	j := &rec.joins[i]
	var err error
	rec.whileUnlocked(func() { err = c.EventSynchronize(j.event) })
	if !c.Failed(rec.regions.Explain(err, uintptr(j.stream))) && j.entry != nil && !j.entry.Covers(j.count) {
		j.entry.Synchronized(j.count)
	}
	if rec.ended {
		rec.dropJoins(c)
		return
	}
	j.awaited = true
}

// whileUnlocked runs wait with the lock released: the awaited work may need another thread,
// and that thread the lock. The other thread may end the recording but leaves the joins to
// this one.
func (rec *recorder) whileUnlocked(wait func()) {
	rec.waiting = true
	rec.mu.Unlock()
	defer func() {
		rec.mu.Lock()
		rec.waiting = false
	}()
	wait()
}

// waitForDevice waits for all work on the device.
func (rec *recorder) waitForDevice(c Calls) {
	var err error
	rec.whileUnlocked(func() { err = c.SynchronizeDevice(rec.device) })
	switch {
	case rec.ended:
		rec.dropJoins(c)
	case !c.Failed(err):
		for i := range rec.joins {
			rec.joins[i].awaited = true
		}
		rec.nullPending = false
	}
}

// dropJoins returns the joins' events to the pool.
func (rec *recorder) dropJoins(c Calls) {
	for _, j := range rec.joins {
		_, err := c.Pool().PutEvent(c, j.event)
		c.Failed(err)
	}
	rec.joins = rec.joins[:0]
}
