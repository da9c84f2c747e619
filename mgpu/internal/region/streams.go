package region

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// waitInGo waits for a stream without leaving Go.
func (rec *recorder) waitInGo(c Calls, s driver.Stream) {
	e := c.Pool().Find(uintptr(s))
	covered := e.Submissions()
	if !c.Failed(rec.regions.Explain(c.StreamSynchronize(s), uintptr(s))) {
		e.Synchronized(covered)
	}
}

// chooseStream returns the stream of the graph's launches, and makes that stream wait for work
// from before the recording.
func (rec *recorder) chooseStream(c Calls) (on driver.Stream, ok bool) {
	if on = rec.stream; on != 0 {
	} else if rec.pinLastStream(c) {
		on = driver.Stream(rec.lastStream)
	} else if on, ok = rec.ownStream(c); !ok {
		return 0, false
	}
	for _, j := range rec.joins[rec.joinsFollowed:] {
		if j.event != 0 && j.stream != on && !j.awaited {
			c.Failed(c.WaitForEvent(on, j.event))
		}
	}
	rec.joinsFollowed = len(rec.joins)
	return on, true
}

// pinLastStream keeps the stream that the program recorded on last until the recording is
// released, and reports whether the graph can be launched there.
func (rec *recorder) pinLastStream(c Calls) bool {
	e := c.Pool().Find(rec.lastStream)
	if e == nil || e.Kind() != streampool.Stream || e.Device() != rec.device || !e.Pin() {
		return false
	}
	if e.Stale() {
		e.Unpin()
		return false
	}
	rec.unpin()
	rec.pinned = e
	return true
}

func (rec *recorder) unpin() {
	if rec.pinned != nil {
		rec.pinned.Unpin()
		rec.pinned = nil
	}
}

// ownStream returns the graph's own stream, created on first use.
func (rec *recorder) ownStream(c Calls) (on driver.Stream, ok bool) {
	if rec.graph.ownStream == 0 {
		s, _, err := c.Pool().Get(c, rec.device)
		if c.Failed(err) {
			return 0, false
		}
		rec.graph.ownStream = s
	}
	return rec.graph.ownStream, true
}

// orderStreamsBehind makes the recorded streams and events follow the work submitted to on.
func (rec *recorder) orderStreamsBehind(c Calls, on driver.Stream) {
	var done driver.Event
	rec.rec.Streams(func(s driver.Stream) {
		e := c.Pool().Find(uintptr(s))
		if s == on || !e.Pin() {
			return
		}
		defer e.Unpin()
		if e.Stale() {
			return
		}
		if done == 0 {
			ev, _, err := c.Pool().GetEvent(c, rec.device)
			if c.Failed(err) {
				return
			}
			c.Failed(c.RecordOwn(ev, on))
			done = ev
		}
		c.Failed(c.WaitForEvent(s, done))
	})
	if done != 0 {
		_, err := c.Pool().PutEvent(c, done)
		c.Failed(err)
	}
	rec.rec.Events(func(ev driver.Event) {
		if e := c.Pool().Find(uintptr(ev)); e != nil && !e.Stale() {
			c.Failed(c.RecordOwn(ev, on))
		}
	})
}
