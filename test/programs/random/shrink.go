package random

// Shrink takes statements out of a program as long as fails says that what is left
// still fails. It leaves none that could be taken out alone.
//
// A statement that is taken out leaves zeros as its results; what nothing uses any
// more goes too.
func (p *Program) Shrink(fails func(*Program) bool) {
	for n := len(p.all()); ; n = (n + 1) / 2 {
		list := p.all()
		n = min(n, len(list))
		changed := false
		for end := len(list); end > 0 && n > 0; end -= n {
			part := list[max(end-n, 0):end]
			if p.without(part, fails) {
				changed = true
			}
		}
		p.sweep(fails)
		if n <= 1 && !changed {
			return
		}
	}
}

// without takes statements out, and puts them back if nothing fails then.
func (p *Program) without(part []*Statement, fails func(*Program) bool) bool {
	var took []*Statement
	for _, s := range part {
		if !s.removed {
			s.removed = true
			took = append(took, s)
		}
	}
	if len(took) == 0 {
		return false
	}
	if fails(p) {
		return true
	}
	for _, s := range took {
		s.removed = false
	}
	return false
}

// sweep removes statements with unused results.
func (p *Program) sweep(fails func(*Program) bool) {
	for {
		used := p.used()
		var idle []*Statement
		for _, s := range p.all() {
			needed := len(s.results) == 0
			for _, r := range s.results {
				needed = needed || used[r]
			}
			if !needed {
				idle = append(idle, s)
			}
		}
		if !p.without(idle, fails) {
			return
		}
	}
}
