package softgpu

import "sync/atomic"

// failure is the error of one operation. All streams whose work came after it, by
// an event or by the null stream's order, share it: whoever is told first is told
// for all of them.
type failure struct {
	err  error
	told atomic.Bool
}

// tell returns the error, to the first who asks, and nil to all others.
func (f *failure) tell() error {
	if f.told.Swap(true) {
		return nil
	}
	return f.err
}

// debt is a failure that a stream has to report: by a wait for its first after
// operations or more.
type debt struct {
	*failure
	after uint64
	own   bool // an operation of this stream failed; else of one that it waited for
}

// owe adds a failure to the debts, unless it is there. Of a stream's own ones
// the first counts until it is reported. s.mu is held.
func (s *stream) owe(f *failure, after uint64, own bool) {
	s.forget()
	for _, d := range s.debts {
		if d.failure == f || d.own && own {
			return
		}
	}
	s.debts = append(s.debts, debt{f, after, own})
	s.failing.Store(true)
}

// forget drops the debts that others have reported. s.mu is held.
func (s *stream) forget() {
	left := s.debts[:0]
	for _, d := range s.debts {
		if !d.told.Load() {
			left = append(left, d)
		}
	}
	clear(s.debts[len(left):])
	s.debts = left
	s.failing.Store(len(left) > 0)
}

// failed takes the error of the first n operations, if there is one to report.
func (s *stream) failed(n uint64) error {
	if !s.failing.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.forget()
	for _, d := range s.debts {
		if d.after <= n {
			if err := d.tell(); err != nil {
				return err
			}
		}
	}
	return nil
}

// untoldFailure returns the error of the first n operations that is still to be reported, and
// leaves it to the next wait: a query is no wait.
func (s *stream) untoldFailure(n uint64) error {
	if !s.failing.Load() {
		return nil
	}
	for _, f := range s.untold(n) {
		return f.err
	}
	return nil
}

// inherit makes what fails before f, a fence that operation n of s has waited for,
// a debt of s as well.
func (s *stream) inherit(f fence, n uint64) {
	if f.s == nil || f.s == s || !f.s.failing.Load() {
		return
	}
	found := f.s.untold(f.n)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range found {
		s.owe(x, n, false)
	}
}

// untold are the failures of the first n operations that are to be reported.
func (s *stream) untold(n uint64) (all []*failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.debts {
		if d.after <= n && !d.told.Load() {
			all = append(all, d.failure)
		}
	}
	return all
}

// unsettled reports whether what comes after the stream's work has to know of it:
// it is not finished, or failed.
func (s *stream) unsettled() bool { return s.pending() || s.failing.Load() }

// Unfinished is how many operations are under way or wait for their turn, and in how many
// streams, the null streams included.
func (d *Driver) Unfinished() (operations uint64, streams int) {
	add := func(s *stream) {
		if n := s.submitted.Load() - s.done.Load(); n != 0 {
			operations += n
			streams++
		}
	}
	for _, dev := range d.devices {
		dev.order.Lock()
		add(dev.null)
		for _, s := range dev.streams {
			add(s)
		}
		dev.order.Unlock()
	}
	return operations, streams
}

// Failures returns the errors of work that nobody has waited for, and takes them.
// Work that is still under way gets until patience returns false to end; nil: none.
func (d *Driver) Failures(patience func() bool) []error {
	var all []error
	for _, dev := range d.devices {
		for !dev.quiet() && patience != nil && patience() {
		}
		all = append(all, dev.failures()...)
	}
	return all
}

// failures takes all that are still to be reported.
func (d *device) failures() []error {
	var all []error
	d.order.Lock()
	defer d.order.Unlock()
	left := append(d.orphans, d.null.untold(d.null.done.Load())...)
	for _, s := range d.streams {
		left = append(left, s.untold(s.done.Load())...)
	}
	d.orphans = nil
	for _, f := range left {
		if err := f.tell(); err != nil {
			all = append(all, err)
		}
	}
	return all
}
