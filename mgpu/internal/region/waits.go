package region

import (
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// A recorded wait of the host is put off for recorded work only. Work from before the
// recording is waited for at once, since the program may read its results. Each stream that
// had such work has a join, whose event follows that work.

// waitBefore waits for work from before the recording. s is a stream to order after the
// default stream's work.
func (rec *recorder) waitBefore(c Calls, s driver.Stream, before launchgraph.Before) (why string) {
	for i := 0; i < len(rec.joins) && rec.state == open; i++ {
		j := &rec.joins[i]
		switch {
		case !j.unawaited():
		case j.event == 0 && before.OfDefault():
			if why = rec.joinDefault(c, s, j); why != "" {
				return why
			}
			rec.waitForJoin(c, i)
		case j.event != 0 && rec.rec.Of(j.stream, before):
			rec.waitForJoin(c, i)
		}
	}
	return ""
}

// joinDefault gives the default stream's join an event, on a stream that follows the default one.
func (rec *recorder) joinDefault(c Calls, on driver.Stream, j *join) (why string) {
	if e := c.Pool().Find(uintptr(on)); e == nil || e.Stale() {
		var ok bool
		if on, ok = rec.ownStream(c); !ok {
			return "there is no stream for it"
		}
	}
	other, err := rec.joinOf(c, on)
	if other.event != 0 {
		*j = other
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func (j *join) unawaited() bool { return !j.awaited && !j.followsParts }

// waitForJoin waits for a join's event. Another thread may end the recording meanwhile.
func (rec *recorder) waitForJoin(c Calls, i int) {
	j := &rec.joins[i]
	var err error
	rec.whileUnlocked(c, func() { err = c.EventSynchronize(j.event) })
	if !c.Failed(rec.regions.Explain(err, uintptr(j.stream))) {
		j.entry.Synchronized(j.count)
	}
	if rec.state == open {
		j.awaited = true
	}
}

// whileUnlocked runs wait with the lock released: the awaited work may need another thread,
// and that thread the lock. The other thread may end the recording but leaves the joins to
// this one.
func (rec *recorder) whileUnlocked(c Calls, wait func()) {
	rec.move(waiting)
	rec.mu.Unlock()
	defer func() {
		rec.mu.Lock()
		if rec.state == waiting {
			rec.move(open)
			return
		}
		rec.dropJoins(c)
		rec.move(idle)
	}()
	wait()
}

// waitForDevice waits for all work on the device.
func (rec *recorder) waitForDevice(c Calls) {
	var err error
	rec.whileUnlocked(c, func() { err = c.SynchronizeDevice(rec.device) })
	if !c.Failed(err) {
		for i := range rec.joins {
			rec.joins[i].awaited = true
		}
	}
}

// dropJoins returns the joins' events to the pool.
func (rec *recorder) dropJoins(c Calls) {
	for _, j := range rec.joins {
		if j.event != 0 {
			_, err := c.Pool().PutEvent(c, j.event)
			c.Failed(err)
		}
	}
	rec.joins = rec.joins[:0]
}
