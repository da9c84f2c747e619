package hsakmt

// delayedUnmaps keeps freed pages mapped while kernels run that may still touch them: a
// wave remembers which memory it found.
type delayedUnmaps struct {
	clock   uint64              // counts frees and starts of kernels
	running map[uint64]struct{} // kernels, by when they began
	pages   []delayedUnmap
}

type delayedUnmap struct {
	lo, hi uint64
	freed  uint64 // when
	then   func() // once they are unmapped; nil: nothing
	vacate func() // instead; nil: they are unmapped
}

// begin tells of a kernel that starts; end takes what it returns.
func (s *space) begin() (since uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &s.unmaps
	if g.running == nil {
		g.running = map[uint64]struct{}{}
	}
	g.clock++
	g.running[g.clock] = struct{}{}
	return g.clock
}

// end tells of a kernel that is over, and unmaps what nobody can touch any more.
func (s *space) end(since uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unmaps.running, since)
	s.unmaps.unmap()
}

// unmapLater unmaps pages, now or when the running kernels are over. mu is held.
func (s *space) unmapLater(lo, hi uint64, then func()) {
	g := &s.unmaps
	g.clock++
	g.pages = append(g.pages, delayedUnmap{lo: lo, hi: hi, freed: g.clock, then: then})
	g.unmap()
}

// unmap unmaps the pages that were freed before the oldest running kernel began.
func (g *delayedUnmaps) unmap() {
	oldest := ^uint64(0)
	for since := range g.running {
		oldest = min(oldest, since)
	}
	kept := g.pages[:0]
	for _, p := range g.pages {
		if p.freed < oldest && p.vacate != nil {
			p.vacate()
		} else if p.freed < oldest {
			unmapPages(p.lo, p.hi-p.lo)
			if p.then != nil {
				p.then()
			}
		} else {
			kept = append(kept, p)
		}
	}
	g.pages = kept
}
