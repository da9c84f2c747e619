// Package calls is what each function of the ABI is: the rows of include/mgpu_calls.def. What the
// ledger and the timeline make of a call follows from its row, never from its name.
package calls

import "sync"

// Kind is what an argument or a result is. A timeline calls the argument by it.
type Kind string

// Call is one function.
type Call struct {
	Name      string
	Counted   bool // has a row in the statistics
	Cached    bool // a pool or a cache may answer it
	Annotates bool // is about the timeline itself
	Arguments []Argument
	Creates   Kind
	Drops     []Kind // the handle is of one of these
	Does      Effect
	Submits   string // what work
}

// Argument is one that the record of a call has.
type Argument struct {
	Kind Kind
	At   int
}

// Where the record of a call has what: two arguments, then these. Launches are packed otherwise.
const (
	BytesAt = 2 + iota
	StreamAt
	ResultAt
)

// Effect is what a call does to a stream, to a recording or to the thread.
type Effect uint8

const (
	Nothing      Effect = iota
	SubmitsWork         // to its stream
	MarksEvent          // behind the work of its stream
	FollowsEvent        // its stream waits
	WaitsEvent          // the caller waits
	WaitsStream
	BeginsRegion
	EndsRegion // which submits it
	SetsDevice
	FindsFunction
)

// Waits reports whether the caller waits for work.
func (e Effect) Waits() bool { return e == WaitsEvent || e == WaitsStream }

// Launches reports whether the call launches a kernel.
func (c *Call) Launches() bool { return c.Submits == "launch" }

// Argument returns where the call's record has the argument of a kind.
func (c *Call) Argument(k Kind) (at int, ok bool) {
	for _, a := range c.Arguments {
		if a.Kind == k {
			return a.At, true
		}
	}
	return ResultAt, false
}

// Handle returns where the call's record has the handle that the call creates or drops: the
// argument of that kind, else the result.
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

// Named returns the function of a name; one that does nothing, where there is none.
func Named(name string) *Call {
	if c := byName()[name]; c != nil {
		return c
	}
	return &Call{Name: name}
}
