package driver

// Handles of graphs. A Node names the same piece of work in a Graph and in every
// GraphExec made from it.
type (
	Graph     uintptr
	GraphExec uintptr
	Node      uintptr
)

// Copy describes a copy node.
type Copy struct {
	Dst, Src Ptr
	Bytes    uint64
}

// Fill describes a fill node: set Count elements of Size bytes, 2 or 4, to Value.
type Fill struct {
	Dst   Ptr
	Value uint32
	Size  uint32
	Count uint64
}

// Grapher is a driver that executes graphs: pieces of work with an order between
// them, described once and launched as a whole. Graphs belong to the calling
// thread's current device. A graph or exec is used by one thread at a time;
// different ones may be used at once. The nodes in after belong to the same graph.
// Launch.Params is read during the call only.
type Grapher interface {
	GraphCreate() (Graph, error)
	GraphDestroy(Graph) error // its execs stay

	GraphAddKernel(g Graph, after []Node, f Function, l Launch) (Node, error) // l.Stream is ignored
	GraphAddCopy(g Graph, after []Node, c Copy) (Node, error)
	GraphAddFill(g Graph, after []Node, f Fill) (Node, error)
	GraphAddEmpty(g Graph, after []Node) (Node, error)

	GraphInstantiate(Graph) (GraphExec, error)
	GraphExecDestroy(GraphExec) error // launches under way still finish

	// GraphLaunch submits all nodes to a stream. Two launches of one exec never
	// overlap.
	GraphLaunch(GraphExec, Stream) error

	// GraphSetKernel, GraphSetCopy and GraphSetFill update a node for later launches of
	// the exec. The node's kind stays, everything else may change.
	GraphSetKernel(x GraphExec, n Node, f Function, l Launch) error
	GraphSetCopy(x GraphExec, n Node, c Copy) error
	GraphSetFill(x GraphExec, n Node, f Fill) error

	GraphTraits() GraphTraits
}

// GraphTraits are properties of a driver's graphs that their users observe.
type GraphTraits struct {
	// Updates is how many node updates an exec stands before it must be made anew: the
	// vendor's memory grows with each. Zero: any number.
	Updates int
	// Pinned: an exec must be neither updated nor destroyed while it executes.
	Pinned bool
	// Chained: each node has to follow the one before it, whatever it depends on, because
	// the vendor gets graphs with branches wrong.
	Chained bool
	// KeepsHostcallsOut: kernels that call the host can't be in graphs, since their
	// buffer belongs to the stream of each launch.
	KeepsHostcallsOut bool
	// Auto: one-node graphs were measured to be cheaper than launches, so measuring in
	// each process is worthwhile.
	Auto bool
}

// Place is the kind of memory at an address.
type Place int

// Places.
const (
	Pageable   Place = iota // host memory that the driver knows nothing of
	DeviceOnly              // device memory that the host can't access
	Shared                  // managed memory, or registered host memory
)

// Placer is a driver that knows the kind of memory at an address.
type Placer interface {
	PlaceOf(Ptr) (Place, error)
}

// Capturer is a driver whose programs can capture streams.
type Capturer interface {
	// Capturing reports whether the program captures the stream.
	Capturing(Stream) (bool, error)
	// EndCapture ends the capture that the program began on the stream, and drops what was
	// captured, where destroying the stream does not. forked: the capture was begun on another
	// stream, which this one has joined; it goes on, and the driver would follow the stream in it.
	EndCapture(Stream) (forked bool)
	// CaptureMode sets which calls of this thread end other threads' captures and
	// returns the mode before. CaptureRelaxed: none do.
	CaptureMode(mode uint32) (before uint32, err error)
}

// CaptureRelaxed is the relaxed mode's number, the same for both vendors.
const CaptureRelaxed = 2
