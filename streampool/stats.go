package streampool

// Stats counts one kind of one device.
type Stats struct {
	Created       uint64 // by the driver
	Reused        uint64 // given out again
	Destroyed     uint64 // really
	FailedQueries uint64 // the driver could not say whether one was idle: destroyed
	Idle          int    // now
	Draining      int    // now
}

// Stats returns the counts of a device; zeros for one that does not exist.
func (p *Pool) Stats(k Kind, device int) Stats {
	if k >= kinds || uint(device) >= uint(len(p.shelves[k])) {
		return Stats{}
	}
	s := &p.shelves[k][device]
	return Stats{
		Created:       s.created.Load(),
		Reused:        s.idle.pops() - s.discarded.Load() + s.drained.Load() + p.handed(s, k, device) - s.trimmed.Load(),
		Destroyed:     s.destroyed.Load(),
		FailedQueries: s.failedQueries.Load(),
		Idle:          int(s.idle.count() + s.inHands()),
		Draining:      int(s.draining.length.Load()),
	}
}

// handed counts what a device's hands gave out.
func (p *Pool) handed(s *shelf, k Kind, device int) uint64 {
	n := s.fromHands.Load()
	p.directory.each(func(e *Entry) {
		if e.kind == k && int(e.device) == device {
			n += e.fromHand.Load()
		}
	})
	return n
}
