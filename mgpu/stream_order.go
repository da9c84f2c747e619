package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// waitForEvent makes a stream wait for an event. s and e are their entries in the pool, nil for foreign ones.
func (f *frame) waitForEvent(stream driver.Stream, s *streampool.Entry, event driver.Event, e *streampool.Entry) error {
	return streampool.Submit(f.meter, s, e, func() error { return f.StreamWaitEvent(stream, event) })
}

// waitBeforeSubmission makes a stream wait for an event before a submission of the thread to the same stream. That
// submission is counted, and its record of the stream's progress comes after the wait.
func (f *frame) waitBeforeSubmission(stream driver.Stream, event driver.Event, e *streampool.Entry) error {
	return streampool.Submit(f.meter, nil, e, func() error { return f.StreamWaitEvent(stream, event) })
}

// waitForStream makes a stream wait for the work submitted to other. Only the record of the event is made with other's
// device as the current device: stream may be the default stream of the thread's own device.
func (f *frame) waitForStream(stream driver.Stream, s *streampool.Entry, other driver.Stream, e *streampool.Entry) error {
	event, err := f.recordPooledEvent(other, e.Device())
	if err != nil {
		return err
	}
	err = f.waitForEvent(stream, s, event, f.k.pool.Find(uintptr(event)))
	if _, perr := f.k.pool.PutEvent(f.meter, event); err == nil {
		err = perr
	}
	return err
}

// recordPooledEvent records an event after a stream's work. The caller returns the event to the pool.
func (f *frame) recordPooledEvent(stream driver.Stream, device int) (driver.Event, error) {
	before, err := f.switchTo(device)
	if err != nil {
		return 0, err
	}
	defer f.switchBack(before, device)
	event, _, err := f.k.pool.GetEvent(f.meter, device)
	if err != nil {
		return 0, err
	}
	if err = f.recordOwn(event, stream); err != nil {
		_, _ = f.k.pool.PutEvent(f.meter, event) // the error of the record says more
	}
	return event, err
}

// record records an event on a stream. e and s are their entries in the pool, nil for foreign ones.
func (f *frame) record(event driver.Event, e *streampool.Entry, stream driver.Stream, s *streampool.Entry) error {
	f.noteCapture(e, stream)
	return streampool.Submit(f.meter, s, e, func() error { return f.EventRecord(event, stream) })
}

// noteCapture tells the pool, if the program captures the stream, that an event is about to be recorded on it.
func (f *frame) noteCapture(e *streampool.Entry, stream driver.Stream) {
	if e != nil && f.capturesStream(stream) {
		f.k.pool.NoteCaptured(e, stream)
	}
}

// recordOwn records an event of the library. It counts no submission, so an idle stream stays idle.
func (f *frame) recordOwn(event driver.Event, stream driver.Stream) error {
	e := f.k.pool.Find(uintptr(event))
	f.noteCapture(e, stream)
	return streampool.Submit(f.meter, nil, e, func() error { return f.EventRecord(event, stream) })
}
