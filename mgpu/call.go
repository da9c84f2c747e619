package mgpu

import (
	"errors"

	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

//go:generate go run ../internal/calllist .. ..

// frame is one mgpu call in progress.
type frame struct {
	*view
	counters *counters
	start    int64
}

// enter begins the call of an mgpu function and counts it. If no driver can be opened, enter reports the failure and ok
// is false.
func (r *Runtime) enter(call int) (f frame, ok bool) {
	k := r.core.Load()
	if k == nil {
		if k = r.open(); k == nil {
			r.countCall(call).others.Add(1)
			r.failedToOpen(callNames[call])
			return frame{}, false
		}
	}
	c := r.countCall(call)
	f = frame{view: &k.views[call], counters: c}
	if r.stats.timing {
		f.start = now()
	}
	return f, true
}

// leave ends the call and adds its time. [Runtime.Waited] ends a call that C finishes.
func (f *frame) leave() {
	if f.start != 0 {
		f.counters.totalNS.Add(uint64(now() - f.start))
	}
}

// failed reports err, if it is set, as the call's failure. It returns whether err is set.
func (f *frame) failed(err error) bool {
	if err == nil {
		return false
	}
	f.r.report(callNames[f.call], err)
	return true
}

// rejected is failed that also counts the call as neither hit nor miss. It is for functions that a pool or cache may
// serve.
func (f *frame) rejected(err error) bool {
	if err == nil {
		return false
	}
	f.counters.others.Add(1)
	f.r.cfg.Trace.On().Outcome(trace.Failed, "")
	return f.failed(err)
}

// countCall returns the function's counters and counts a call, unless the fast path counts calls.
func (r *Runtime) countCall(call int) *counters {
	c := r.stats.counters(call)
	if r.cfg.FastPath == nil {
		c.calls.Add(1)
	}
	return c
}

func (f *frame) countMiss() {
	f.counters.misses.Add(1)
	f.r.cfg.Trace.On().Outcome(trace.Missed, "")
}

// frameOf makes a frame for follow-up work of a call that is already counted.
func (r *Runtime) frameOf(k *core, call int) frame {
	return frame{view: &k.views[call], counters: r.stats.counters(call)}
}

// failedToGive is rejected for a call that returns a module or a function.
func (f *frame) failedToGive(err error) bool {
	if err == nil {
		return false
	}
	f.r.cascade.broken.Store(true)
	return f.rejected(err)
}

// failedOn reports err, the failure of a call on a module or a function, unless it follows from an earlier failure.
func (f *frame) failedOn(handle uintptr, err error) bool {
	if err == nil || handle != 0 || !f.r.cascade.broken.Load() {
		return f.failed(err)
	}
	f.r.cascade.counts[f.call].Add(1)
	code := driver.Unknown
	if de := (*driver.Error)(nil); errors.As(err, &de) {
		code = de.Code
	}
	f.r.note(code, err.Error())
	return true
}

// failedToGiveFrom is failedToGive for a look-up in a module.
func (f *frame) failedToGiveFrom(module uintptr, err error) bool {
	if err == nil {
		return false
	}
	f.counters.others.Add(1)
	f.failedOn(module, err)
	f.r.cascade.broken.Store(true)
	return true
}
