package mgpu

import "time"

//go:generate go run ../internal/calllist ../include/mgpu_calls.def call_list.go

// frame is one mgpu call under way.
type frame struct {
	*meter
	k  *core
	r  *Runtime
	c  *cell
	t0 int64
}

// enter begins the call of an mgpu function. ok is false, and the failure has
// been reported, where there is no driver.
func (r *Runtime) enter(row int) (f frame, ok bool) {
	k := r.core.Load()
	if k == nil {
		if k = r.open(); k == nil {
			r.count(row).others.Add(1)
			r.report(callNames[row], r.fail)
			return frame{}, false
		}
	}
	c := r.count(row)
	f = frame{meter: &k.views[row], k: k, r: r, c: c}
	if r.stats.timing {
		f.t0 = now()
	}
	return f, true
}

// leave ends the call. A call that C finishes (see driver.Blocking) has no
// leave: its time is added by Waited.
func (f *frame) leave() {
	if f.t0 != 0 {
		f.c.totalNS.Add(uint64(now() - f.t0))
	}
}

// failed reports err as the call's failure and tells whether there was one.
func (f *frame) failed(err error) bool {
	if err == nil {
		return false
	}
	f.r.report(callNames[f.row], err)
	return true
}

// rejected is failed for functions that a pool or cache may answer, which count
// what it did not answer.
func (f *frame) rejected(err error) bool {
	if err == nil {
		return false
	}
	f.c.others.Add(1)
	return f.failed(err)
}

// count counts a call, unless the caller does, and returns the counters.
func (r *Runtime) count(row int) *cell {
	c := r.stats.cell(row)
	if r.cfg.FastPath == nil {
		c.calls.Add(1)
	}
	return c
}

func (f *frame) miss() { f.c.misses.Add(1) }

var epoch = time.Now()

// now is a monotonic time in nanoseconds, never zero.
func now() int64 { return int64(time.Since(epoch)) + 1 }

// frameOf is a frame for what belongs to calls that have been counted.
func (r *Runtime) frameOf(k *core, row int) frame {
	return frame{meter: &k.views[row], k: k, r: r, c: r.stats.cell(row)}
}
