package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// checkpoint is an event recorded on a busy stream to learn of the stream's progress.
type checkpoint struct {
	event driver.Event // zero: no checkpoint
	count uint64       // submissions before the event
}

// checkpointPassed reports whether a busy stream's checkpoint shows count submissions done. It
// sets a checkpoint if the stream has none.
func (f *frame) checkpointPassed(e *streampool.Entry, count uint64) (bool, error) {
	m := f.k.memory
	c := m.takeCheckpoint(e)
	if c.event != 0 {
		done, err := f.EventDone(c.event)
		if err == nil && !done {
			m.setCheckpoint(e, c)
			return false, nil
		}
		if err = f.dropCheckpoint(c, err); err != nil {
			return false, err
		}
		if e.Synchronized(c.count); e.Covers(count) {
			return true, nil
		}
	}
	event, _, err := f.k.pool.GetEvent(f.meter, e.Device())
	if err != nil {
		return false, err
	}
	c = checkpoint{event, e.Submissions()}
	if err = f.recordOwn(event, driver.Stream(e.Handle())); err != nil {
		return false, f.dropCheckpoint(c, err)
	}
	m.setCheckpoint(e, c)
	return false, nil
}

// takeCheckpoint removes and returns a stream's checkpoint, so that no other thread queries or
// sets it meanwhile. The event is zero if there is none.
func (m *memory) takeCheckpoint(e *streampool.Entry) checkpoint {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.checkpoints[e]
	m.checkpoints[e] = checkpoint{}
	return c
}

// setCheckpoint sets a stream's checkpoint. If another thread set one meanwhile, that event is
// kept aside until dropCheckpoints.
func (m *memory) setCheckpoint(e *streampool.Entry, c checkpoint) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if before := m.checkpoints[e]; before.event != 0 {
		m.strays = append(m.strays, before)
	}
	m.checkpoints[e] = c
}

// dropCheckpoint returns the event to the pool. The result is err or, if nil, the failure of
// that.
func (f *frame) dropCheckpoint(c checkpoint, err error) error {
	if _, put := f.k.pool.PutEvent(f.meter, c.event); err == nil {
		err = put
	}
	return err
}

// dropCheckpoints returns the events of all checkpoints to the pool.
func (f *frame) dropCheckpoints() {
	m := f.k.memory
	m.mu.Lock()
	all := m.strays
	m.strays = nil
	for e, c := range m.checkpoints {
		if c.event != 0 {
			all = append(all, c)
		}
		delete(m.checkpoints, e)
	}
	m.mu.Unlock()
	for _, c := range all {
		f.failed(f.dropCheckpoint(c, nil))
	}
}
