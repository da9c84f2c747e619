package hsakmt

// graveyard keeps freed pages mapped while kernels run that may still touch them: a
// wave remembers which memory it found.
type graveyard struct {
	clock   uint64              // counts frees and starts of kernels
	running map[uint64]struct{} // kernels, by when they began
	pages   []gravePages
}

type gravePages struct {
	lo, hi uint64
	freed  uint64 // when
	then   func() // once they are unmapped; nil: nothing
}

// begin tells of a kernel that starts; end takes what it returns.
func (s *space) begin() (since uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &s.unused
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
	delete(s.unused.running, since)
	s.unused.reap()
}

// bury unmaps pages, now or when the running kernels are over. mu is held.
func (s *space) bury(lo, hi uint64, then func()) {
	g := &s.unused
	g.clock++
	g.pages = append(g.pages, gravePages{lo, hi, g.clock, then})
	g.reap()
}

func (g *graveyard) reap() {
	oldest := ^uint64(0)
	for since := range g.running {
		oldest = min(oldest, since)
	}
	kept := g.pages[:0]
	for _, p := range g.pages {
		if p.freed < oldest {
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
