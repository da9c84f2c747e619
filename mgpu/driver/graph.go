package driver

// Handles of graphs. A Node names the same piece of work in a Graph and in every
// GraphExec made from it.
type (
	Graph     uintptr
	GraphExec uintptr
	Node      uintptr
)

// Copy is what a copy node does.
type Copy struct {
	Dst, Src Ptr
	Bytes    uint64
}

// Fill is what a fill node does: Count elements of Size bytes, 2 or 4, get Value.
type Fill struct {
	Dst   Ptr
	Value uint32
	Size  uint32
	Count uint64
}

// Grapher is a driver that executes graphs: pieces of work with an order between
// them, described once and launched as a whole. Graphs belong to the calling
// thread's current device. One graph, and one exec, is used by one thread at a
// time; different ones may be used at once. What after holds was added to the same
// graph before. Params and what it points to is read during the call only.
type Grapher interface {
	GraphCreate() (Graph, error)
	GraphDestroy(Graph) error // execs made from it stay

	GraphAddKernel(g Graph, after []Node, f Function, l Launch) (Node, error) // l.Stream is not looked at
	GraphAddCopy(g Graph, after []Node, c Copy) (Node, error)
	GraphAddFill(g Graph, after []Node, f Fill) (Node, error)
	GraphAddEmpty(g Graph, after []Node) (Node, error)

	GraphInstantiate(Graph) (GraphExec, error)
	GraphExecDestroy(GraphExec) error // launches of it under way still finish

	// GraphLaunch puts all nodes behind what was submitted to the stream before. Two
	// launches of one exec never overlap.
	GraphLaunch(GraphExec, Stream) error

	// What later launches of the exec do at a node; those submitted before go on as
	// they were. The node's kind stays, everything else may change.
	GraphSetKernel(x GraphExec, n Node, f Function, l Launch) error
	GraphSetCopy(x GraphExec, n Node, c Copy) error
	GraphSetFill(x GraphExec, n Node, f Fill) error

	GraphTraits() GraphTraits
}

// GraphTraits are what users of a driver's graphs have to know of it.
type GraphTraits struct {
	// Updates is how many changes of nodes one exec stands before it has to be made
	// anew: the vendor keeps something of each. Zero: any number.
	Updates int
	// Pinned tells that an exec must be neither changed nor destroyed while it
	// executes.
	Pinned bool
	// KeepsHostcallsOut tells that a graph holds on to what kernels call the host by,
	// which belongs to the stream of each launch.
	KeepsHostcallsOut bool
	// Auto tells that one-node graphs were measured to issue launches for less, so
	// that it is worth measuring it again in each process.
	Auto bool
}

// Place says what lies at an address.
type Place int

// Places.
const (
	Pageable   Place = iota // the host's memory, as far as the driver knows
	DeviceOnly              // device memory that the host does not touch
	Shared                  // managed memory, or host memory that is registered
)

// Placer is a driver that tells what lies at an address.
type Placer interface {
	PlaceOf(Ptr) (Place, error)
}

// Capturer is a driver whose programs may capture streams by themselves.
type Capturer interface {
	// Capturing tells whether work submitted to the stream is captured.
	Capturing(Stream) (bool, error)
	// CaptureMode sets which calls of the calling thread would end other threads'
	// captures, and gives what was set before. CaptureRelaxed: none.
	CaptureMode(mode uint32) (before uint32, err error)
}

// CaptureRelaxed is the vendors' number.
const CaptureRelaxed = 2
