package mgpu

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// Wait describes a driver call that may block. If Fn is set, the caller makes that call in C and then ends the mgpu
// call with [Runtime.Waited]. Otherwise the mgpu call has ended.
//
//mgpu:struct wait
type Wait struct {
	driver.Blocking
	Handle     uintptr // stream, event or block of the call
	Count      uint64  // number of the latest submission that the wait covers; zero: none
	Start      int64   // when the mgpu call began, in nanoseconds; zero: calls are not timed
	Call       uint32  // number of the mgpu function
	Effect     effect  // what to record after the driver call has returned
	Submission uintptr // number of the submission that the driver call makes, see submissions; zero: none
}

// effect is what a returned driver call changes.
type effect uint32

const (
	noEffect     effect = iota
	streamIsIdle        // the stream or event Handle is idle up to Count
	copyReturned        // the driver call of Submission has returned
	deviceIsIdle        // block Handle can be reused
)

// startedInC counts a driver call that C makes. It ends the mgpu call if there is no driver call.
func (f *frame) startedInC(w Wait) Wait {
	f.counters.driverCalls.Add(1)
	w.Start, w.Call = f.start, uint32(f.call)
	if w.Fn == 0 {
		f.apply(w, true)
		f.leave()
		return Wait{}
	}
	return w
}

// Waited ends an mgpu call after C has made its driver call. status is the result of Fn.
func (r *Runtime) Waited(w Wait, status int32) {
	k := r.core.Load()
	f := r.frameOf(k, int(w.Call))
	f.start = w.Start
	err := k.waiter.Status(callNames[w.Call], status)
	if err != nil {
		f.failed(r.regions.Explain(err, w.Handle))
	}
	f.apply(w, err == nil)
	if f.times != nil {
		f.times.collect(f.meter)
	}
	if w.Start != 0 {
		f.counters.driverNS.Add(uint64(now() - w.Start))
		f.leave()
	}
}

// apply records the effect of a driver call that has returned. ok means that it returned no error.
func (f *frame) apply(w Wait, ok bool) {
	switch w.Effect {
	case streamIsIdle:
		if ok && w.Count != 0 { // the check-out counts as the first submission
			f.synchronized(w.Handle, w.Count)
		}
	case copyReturned:
		s := f.k.cSubmissions.finish(w.Submission)
		s.timing.stop()
		s.entry.RecordProgress(f.meter)
		s.entry.End(s.token)
	case deviceIsIdle:
		f.freeAfterWait(w.Handle, ok)
	}
}
