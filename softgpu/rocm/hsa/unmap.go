package hsa

// delayedUnmaps keeps freed pages mapped while kernels run that may still touch them: a
// wave remembers which memory it found.
type delayedUnmaps struct {
	clock   uint64              // counts frees and starts of kernels
	running map[uint64]struct{} // kernels, by when they began
	pages   []delayedUnmap
}

type delayedUnmap struct {
	freed uint64 // when
	unmap func()
}

// begin notes that a kernel starts. The result is for end.
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

// end notes that a kernel is over, and unmaps memory that no kernel can access any more.
func (s *space) end(since uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unmaps.running, since)
	s.unmaps.unmap()
}

// unmapLater has unmap called with mu held, now or when the running kernels are over. mu is held.
func (s *space) unmapLater(unmap func()) {
	g := &s.unmaps
	g.clock++
	g.pages = append(g.pages, delayedUnmap{g.clock, unmap})
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
		if p.freed < oldest {
			p.unmap()
		} else {
			kept = append(kept, p)
		}
	}
	g.pages = kept
}
