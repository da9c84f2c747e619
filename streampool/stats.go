package streampool

// Stats counts the streams or the events of one device.
type Stats struct {
	Created       uint64 // created by the driver
	Reused        uint64 // checked out of the pool
	Destroyed     uint64 // destroyed by the driver
	FailedQueries uint64 // queries that failed; the stream or event was destroyed
	Idle          int    // idle now
	Draining      int    // draining now
}

// Stats returns the counts of a device; zeros for a device that does not exist.
func (p *Pool) Stats(k Kind, device int) Stats {
	if k >= kinds || uint(device) >= uint(len(p.freeLists[k])) {
		return Stats{}
	}
	s := &p.freeLists[k][device]
	return Stats{
		Created:       s.created.Load(),
		Reused:        s.idle.pops() - s.discarded.Load() + s.drained.Load() + p.reusedFromSlots(s, k, device),
		Destroyed:     s.destroyed.Load(),
		FailedQueries: s.failedQueries.Load(),
		Idle:          int(s.idle.count() + s.inSlots()),
		Draining:      int(s.draining.length.Load()),
	}
}

// reusedFromSlots counts the entries checked out from a device's slots.
func (p *Pool) reusedFromSlots(s *freeList, k Kind, device int) uint64 {
	n := s.slotReuses.Load()
	p.directory.each(func(e *Entry) {
		if e.kind == k && int(e.device) == device {
			n += e.slotReuses.Load()
		}
	})
	return n
}
