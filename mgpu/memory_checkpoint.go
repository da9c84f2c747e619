package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// checkpoint is an event that was recorded on a stream to learn of its progress.
type checkpoint struct {
	event driver.Event // zero: there is none
	count uint64       // of the work before it
}

// checkpointPassed asks the checkpoint of a busy stream, and sets one if there is none.
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

// takeCheckpoint takes a stream's checkpoint, so that nobody else asks or sets it
// meanwhile; zero: there is none.
func (m *memory) takeCheckpoint(e *streampool.Entry) checkpoint {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.checkpoints[e]
	m.checkpoints[e] = checkpoint{}
	return c
}

// setCheckpoint sets it. Two threads may do that at once: one of the events then
// serves nobody, and is the pool's again when all are dropped.
func (m *memory) setCheckpoint(e *streampool.Entry, c checkpoint) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if before := m.checkpoints[e]; before.event != 0 {
		m.strays = append(m.strays, before)
	}
	m.checkpoints[e] = c
}

// dropCheckpoint gives its event back, and returns err or why that failed.
func (f *frame) dropCheckpoint(c checkpoint, err error) error {
	if _, put := f.k.pool.PutEvent(f.meter, c.event); err == nil {
		err = put
	}
	return err
}

// dropCheckpoints gives back the events of all.
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
