// Package calls describes each function of the ABI, from the rows of include/mgpu_calls.def. The ledger and the
// timeline treat a call by its row, never by its name.
package calls

import "sync"

// Kind is what an argument or a result is. A timeline uses it as the argument's name.
type Kind string

// Call is one function.
type Call struct {
	Name      string
	Counted   bool // has a row in the statistics
	Cached    bool // a pool or a cache may serve the call
	Annotates bool // the call is about the timeline itself
	Arguments []Argument
	Creates   Kind
	Drops     []Kind // the call drops a handle of one of these kinds
	Does      Effect
	Submits   string // kind of work
}

// Argument is an argument in the record of a call.
type Argument struct {
	Kind Kind
	At   int
}

// Places in the record of a call: two arguments, then these. Launches have another layout.
const (
	BytesAt = 2 + iota
	StreamAt
	ResultAt
)

// Effect is what a call does to a stream, a recording or the thread.
type Effect uint8

const (
	Nothing      Effect = iota
	SubmitsWork         // submits work to its stream
	MarksEvent          // records an event after the work of its stream
	FollowsEvent        // its stream waits for an event
	WaitsEvent          // the caller waits for an event
	WaitsStream
	BeginsRegion
	EndsRegion // ends a recording, and submits it
	SetsDevice
	FindsFunction
)

// Waits reports whether the caller waits for work.
func (e Effect) Waits() bool { return e == WaitsEvent || e == WaitsStream }

// Launches reports whether the call launches a kernel.
func (c *Call) Launches() bool { return c.Submits == "launch" }

// Argument returns the place of the argument of a kind in the call's record.
func (c *Call) Argument(k Kind) (at int, ok bool) {
	for _, a := range c.Arguments {
		if a.Kind == k {
			return a.At, true
		}
	}
	return ResultAt, false
}

// Handle returns the place, in the call's record, of the handle that the call creates or drops: the argument of that
// kind, or else the result.
func (c *Call) Handle() int {
	if at, ok := c.Argument(c.Creates); ok || c.Creates != "" {
		return at
	}
	for _, k := range c.Drops {
		if at, ok := c.Argument(k); ok {
			return at
		}
	}
	return ResultAt
}

var byName = sync.OnceValue(func() map[string]*Call {
	all := map[string]*Call{}
	for i := range List {
		all[List[i].Name] = &List[i]
	}
	return all
})

// Named returns the function with a name; a Call without effects if there is none.
func Named(name string) *Call {
	if c := byName()[name]; c != nil {
		return c
	}
	return &Call{Name: name}
}
