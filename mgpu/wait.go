package mgpu

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// Wait is a call that has begun. If Fn is set, the caller makes that driver call
// in C and then ends the mgpu call with [Runtime.Waited]; otherwise it is over.
type Wait struct {
	driver.Blocking
	Handle uintptr // the stream or event that is waited for or submitted to
	Count  uint64  // what a synchronize covers
	Start  int64
	Row    uintptr
	Record uintptr // of a staged copy: its number; zero: it is none

	Submission uintptr // what C submits by the call: see submissions; zero: nothing
}

// begun counts a driver call that C makes, or ends one that turned out to need
// none.
func (f *frame) begun(w Wait) Wait {
	f.c.driverCalls.Add(1)
	w.Start, w.Row = f.t0, uintptr(f.row)
	if w.Fn == 0 {
		if f.row == memFree && w.Handle != 0 {
			f.waitedToFree(w.Handle, true)
		}
		f.settle(w, true)
		f.leave()
		return Wait{}
	}
	return w
}

// Waited ends a call that C made; status is what Fn returned.
func (r *Runtime) Waited(w Wait, status int32) {
	k := r.core.Load()
	row := int(w.Row)
	f := frame{meter: &k.views[row], k: k, r: r, c: r.stats.cell(row), t0: w.Start}
	err := k.waiter.Status(callNames[row], status)
	if err != nil {
		f.failed(r.ofGraph(err, w.Handle))
	}
	if row == memFree && w.Handle != 0 {
		f.waitedToFree(w.Handle, err == nil)
	}
	f.settle(w, err == nil)
	if w.Start != 0 {
		f.c.driverNS.Add(uint64(now() - w.Start))
		f.leave()
	}
}

// settle notes what the driver call did to its stream or event. A count of zero
// covers nothing: checking out counts as the first submission.
func (f *frame) settle(w Wait, ok bool) {
	if !f.k.cached {
		return
	}
	switch f.row {
	case streamSynchronize, eventSynchronize:
		if ok && w.Count != 0 {
			f.synchronized(w.Handle, w.Count)
		}
	case memcpy:
		s := f.k.byC.end(w.Submission)
		if w.Record != 0 {
			f.stagedNow(w, s, ok)
			return
		}
		s.to.End(s.is)
	}
}
