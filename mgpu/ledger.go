package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/calls"
	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// resources are the kinds of things that programs create and release, and the verb of each release.
var resources = []struct {
	kind                         calls.Kind
	one, more, created, returned string
}{
	{calls.Block, "block of memory", "blocks of memory", "allocated", "freed"},
	{calls.Stream, "stream", "streams", "created", "destroyed"},
	{calls.Event, "event", "events", "created", "destroyed"},
	{calls.Module, "module", "modules", "loaded", "unloaded"},
	{calls.Scope, "scope", "scopes", "created", "destroyed"},
	{calls.Region, "graph", "graphs", "recorded", "destroyed"},
}

// resourceOf returns the index of a kind in resources.
func resourceOf(k calls.Kind) int {
	for i := range resources {
		if resources[i].kind == k {
			return i
		}
	}
	return -1
}

// thing is something that the program has created, by its handle.
type thing struct {
	kind   calls.Kind
	handle uint64
}

// holding is how often the program has a thing, and where it got the thing last.
type holding struct {
	count   int
	bytes   uint64
	session uint64 // of a scope, which releases its blocks; zero: none
	call    uint64 // number of the call
	site    uintptr
}

// ledger holds what the program has created and not released.
type ledger struct {
	mu   locks.Mutex[locks.Ledger]
	open map[thing]holding
}

// ResourceCall is a call that has created something or released it.
type ResourceCall struct {
	Call    int       // number of the call list
	Args    [4]uint64 // as in the timeline: two arguments, bytes, stream
	Result  uint64
	Site    uintptr // return address of the call, in the program
	Session uint64  // the thread's innermost open session of a scope; zero: none
}

// gets adds a thing. A handle may be given out again before its release is noted.
func (l *ledger) gets(t thing, h holding) {
	if t.kind != calls.Block {
		h.bytes = 0
	}
	if l.open == nil {
		l.open = map[thing]holding{}
	}
	h.count = l.open[t].count + 1
	l.open[t] = h
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

// ends notes the end of a session, whose blocks return to their scope.
func (l *ledger) ends(session uint64) {
	if session == 0 {
		return
	}
	for t, h := range l.open {
		if t.kind == calls.Block && h.session == session {
			delete(l.open, t)
		}
	}
}

// Leak lists what one place of the program created and did not release.
type Leak struct {
	Kind  string `json:"kind"` // "block of memory"
	Count int    `json:"count"`
	Bytes uint64 `json:"bytes"` // of blocks
	Call  uint64 `json:"call"`  // number of the last call that created one
	From  string `json:"from"`  // where that call was made; empty: unknown

	kind int // in resources
}

// String is a line about the leak.
func (l *Leak) String() string {
	k := &resources[l.kind]
	text := count.Of(l.Count, k.one, k.more)
	if resources[l.kind].kind == calls.Block {
		text += ", " + count.Of(l.Bytes, "byte")
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
