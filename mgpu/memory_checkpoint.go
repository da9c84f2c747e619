package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// checkpointPassed reports whether a busy stream's checkpoint shows that count submissions are done. It sets a
// checkpoint if the stream has none.
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

// dropCheckpoint returns the event to the pool. It returns err or, if err is nil, the failure of the return.
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
