package mgpu

import (
	"cmp"
	"slices"

	"github.com/mgpu-runtime/mgpu/internal/calls"
)

// NoteResource enters a call that has ended into the ledger. Leaks reports only what was entered.
func (r *Runtime) NoteResource(n *ResourceCall) {
	c, l := &calls.List[n.Call], &r.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	has := holding{bytes: n.Args[2], session: n.Session, call: r.calls(), site: n.Site}
	handle := n.Result
	if at := c.Handle(); at < len(n.Args) {
		handle = n.Args[at]
	}
	for _, k := range c.Drops {
		if k == calls.Session {
			l.ends(handle)
		} else {
			l.gives(thing{k, handle})
		}
	}
	switch {
	case c.Creates == "" || n.Result == 0:
	case c.Handle() == calls.ResultAt:
		l.gets(thing{c.Creates, handle}, has)
	case l.open[thing{c.Creates, handle}].count == 0: // an argument names it, in any number of calls
		l.gets(thing{c.Creates, handle}, has)
	}
}

// Leaks returns what the program has created and not released, by the place where it was created: blocks first, in
// order of their bytes. It is empty unless calls are noted.
func (r *Runtime) Leaks() []Leak {
	type origin struct {
		kind int // in resources
		site uintptr
	}
	r.ledger.mu.Lock()
	sums := map[origin]*Leak{}
	for t, h := range r.ledger.open {
		at := origin{resourceOf(t.kind), h.site}
		if sums[at] == nil {
			sums[at] = &Leak{Kind: resources[at.kind].one, kind: at.kind}
		}
		l := sums[at]
		l.Count += h.count
		l.Bytes += h.bytes
		l.Call = max(l.Call, h.call)
	}
	r.ledger.mu.Unlock()
	leaks := []Leak{}
	for at, l := range sums {
		if at.site != 0 && r.cfg.Process != nil {
			l.From = r.cfg.Process.Symbol(at.site)
		}
		leaks = append(leaks, *l)
	}
	slices.SortFunc(leaks, func(a, b Leak) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Call, b.Call))
	})
	return leaks
}
