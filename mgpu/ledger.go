package mgpu

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// resource is a kind of thing that programs create and give back.
type resource uint8

const (
	aBlock resource = iota
	aStream
	anEvent
	aModule
	aScope
	aGraph
)

// resources tell what happens to each kind.
var resources = [...]struct{ one, more, created, returned string }{
	aBlock:  {"block of memory", "blocks of memory", "allocated", "freed"},
	aStream: {"stream", "streams", "created", "destroyed"},
	anEvent: {"event", "events", "created", "destroyed"},
	aModule: {"module", "modules", "loaded", "unloaded"},
	aScope:  {"scope", "scopes", "created", "destroyed"},
	aGraph:  {"graph", "graphs", "recorded", "destroyed"},
}

// thing is something that a program has, by its handle.
type thing struct {
	kind   resource
	handle uint64
}

// holding is how often a program has a thing, and where it got it last.
type holding struct {
	count   int
	bytes   uint64
	session uint64 // of a scope, which gives blocks back; zero: none
	call    uint64 // its number
	site    uintptr
}

// ledger holds what the program has created and not given back.
type ledger struct {
	mu   sync.Mutex
	open map[thing]holding
}

// ResourceCall is a call that has created something or given it back.
type ResourceCall struct {
	Call    int       // number of the call list
	Args    [4]uint64 // as the timeline has them: two arguments, bytes, stream
	Result  uint64
	Site    uintptr // in the program, where the call returned to
	Session uint64  // the thread's innermost open session of a scope; zero: none
}

// NoteResource enters a call that has ended into the ledger. Without it there are no leaks to
// report.
func (r *Runtime) NoteResource(n *ResourceCall) {
	l, first := &r.ledger, n.Args[0]
	l.mu.Lock()
	defer l.mu.Unlock()
	has := holding{bytes: n.Args[2], session: n.Session, call: r.calls(), site: n.Site}
	switch n.Call {
	case memAlloc:
		l.gets(thing{aBlock, n.Result}, has)
	case memFree:
		l.gives(thing{aBlock, first})
	case streamCreate:
		l.gets(thing{aStream, n.Result}, has)
	case streamDestroy:
		l.gives(thing{aStream, n.Args[3]})
	case eventCreate:
		l.gets(thing{anEvent, n.Result}, has)
	case eventDestroy: // compilers destroy streams by it, too
		l.gives(thing{anEvent, first})
		l.gives(thing{aStream, first})
	case moduleLoad, moduleLoadJIT:
		l.gets(thing{aModule, n.Result}, has)
	case moduleUnload:
		l.gives(thing{aModule, first})
	case allocCacheCreate:
		l.gets(thing{aScope, n.Result}, has)
	case allocCacheEnd:
		l.ends(n.Result)
	case allocCacheDestroy:
		l.gives(thing{aScope, first})
	case graphBegin:
		if g := (thing{aGraph, first}); n.Result != 0 && l.open[g].count == 0 {
			has.count, has.bytes = 1, 0
			l.set(g, has)
		}
	case graphDestroy:
		l.gives(thing{aGraph, first})
	}
}

func (l *ledger) set(t thing, h holding) {
	if l.open == nil {
		l.open = map[thing]holding{}
	}
	l.open[t] = h
}

// gets adds a thing. A handle may be given out again before its return is noted.
func (l *ledger) gets(t thing, h holding) {
	if t.handle == 0 {
		return
	}
	if t.kind != aBlock {
		h.bytes = 0
	}
	h.count = l.open[t].count + 1
	l.set(t, h)
}

func (l *ledger) gives(t thing) {
	switch h, ok := l.open[t]; {
	case !ok:
	case h.count == 1:
		delete(l.open, t)
	default:
		h.count--
		l.open[t] = h
	}
}

// ends is the end of a session: its blocks go back to their scope.
func (l *ledger) ends(session uint64) {
	if session == 0 {
		return
	}
	for t, h := range l.open {
		if t.kind == aBlock && h.session == session {
			delete(l.open, t)
		}
	}
}

// Leak is what one place of the program has created and not given back.
type Leak struct {
	Kind  string `json:"kind"` // "block of memory"
	Count int    `json:"count"`
	Bytes uint64 `json:"bytes"` // of blocks
	Call  uint64 `json:"call"`  // number of the last call that created one
	From  string `json:"from"`  // where that call was made; empty: unknown

	kind resource
}

// String is a line about the leak.
func (l *Leak) String() string {
	k := &resources[l.kind]
	text := "1 " + k.one
	if l.Count != 1 {
		text = fmt.Sprintf("%d %s", l.Count, k.more)
	}
	if l.kind == aBlock {
		text += fmt.Sprintf(", %d bytes", l.Bytes)
	}
	text += " never " + k.returned + ", "
	if l.Count != 1 {
		text += "the last "
	}
	text += fmt.Sprintf("%s by mgpu call %d", k.created, l.Call)
	if l.From != "" {
		text += " from " + l.From
	}
	return text
}

// Leaks returns what the program has and nobody has given back, by the place where it was
// created: blocks first, the largest sum first. Empty unless calls are noted.
func (r *Runtime) Leaks() []Leak {
	type origin struct {
		kind resource
		site uintptr
	}
	r.ledger.mu.Lock()
	sums := map[origin]*Leak{}
	for t, h := range r.ledger.open {
		at := origin{t.kind, h.site}
		if sums[at] == nil {
			sums[at] = &Leak{Kind: resources[t.kind].one, kind: t.kind}
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
