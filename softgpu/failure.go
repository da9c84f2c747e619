package softgpu

import "sync/atomic"

// failure is the error of one operation. All streams whose work came after it, because of an event or of the null
// stream's order, share it: once one call has reported it, no other does.
type failure struct {
	err  error
	told atomic.Bool
}

// tell returns the error to its first caller, and nil to all others.
func (f *failure) tell() error {
	if f.told.Swap(true) {
		return nil
	}
	return f.err
}

// debt is a failure that a stream has to report at a wait for its first after operations or more.
type debt struct {
	*failure
	after uint64
	own   bool // an operation of this stream failed; false: of a stream for which it waited
}

// owe adds a failure to the debts, unless it is there already. Of a stream's own failures, the first counts until it is
// reported. The caller has locked s.mu.
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

// forget drops the debts that others have reported. The caller has locked s.mu.
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

// failed takes the unreported error of the first n operations; nil if there is none.
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

// untoldFailure returns the unreported error of the first n operations without taking it: only a wait does.
func (s *stream) untoldFailure(n uint64) error {
	if !s.failing.Load() {
		return nil
	}
	for _, f := range s.untold(n) {
		return f.err
	}
	return nil
}

// inherit makes failures before f, a fence for which operation n of s has waited, debts of s.
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

// untold returns the unreported failures of the first n operations.
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

// unsettled reports whether later work has to know of the stream's work: it is not finished, or it failed.
func (s *stream) unsettled() bool { return s.pending() || s.failing.Load() }

// Unfinished returns the number of operations that are running or waiting, and the number of their streams, including
// null streams.
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

// Failures takes the errors of work for which no call has waited. It waits for unfinished work until patience returns
// false; nil: it does not wait.
func (d *Driver) Failures(patience func() bool) []error {
	var all []error
	for _, dev := range d.devices {
		for !dev.quiet() && patience != nil && patience() {
		}
		all = append(all, dev.failures()...)
	}
	return all
}

// failures takes all unreported failures.
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
