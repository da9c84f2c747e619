package driver

// Handles of graphs. A Node stands for the same work in a Graph and in every GraphExec made from it.
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

// Fill describes a fill node: it sets Count elements of Size bytes, 2 or 4, to Value.
type Fill struct {
	Dst   Ptr
	Value uint32
	Size  uint32
	Count uint64
}

// Grapher is a driver that executes graphs: nodes of work with an order between them, described once and launched as a
// whole. Graphs belong to the calling thread's current device. One graph or exec is used by one thread at a time;
// different ones may be used at once. The nodes in after belong to the same graph. Launch.Params is read only during
// the call.
type Grapher interface {
	GraphCreate() (Graph, error)
	GraphDestroy(Graph) error // execs made from the graph stay valid

	GraphAddKernel(g Graph, after []Node, f Function, l Launch) (Node, error) // l.Stream is ignored
	GraphAddCopy(g Graph, after []Node, c Copy) (Node, error)
	GraphAddFill(g Graph, after []Node, f Fill) (Node, error)
	GraphAddEmpty(g Graph, after []Node) (Node, error)

	GraphInstantiate(Graph) (GraphExec, error)
	GraphExecDestroy(GraphExec) error // launches in progress still finish

	// GraphLaunch submits all nodes to a stream. Two launches of one exec never
	// overlap.
	GraphLaunch(GraphExec, Stream) error

	// GraphSetKernel, GraphSetCopy and GraphSetFill update a node for later launches of the exec. The node's kind can't
	// change; everything else may.
	GraphSetKernel(x GraphExec, n Node, f Function, l Launch) error
	GraphSetCopy(x GraphExec, n Node, c Copy) error
	GraphSetFill(x GraphExec, n Node, f Fill) error

	GraphTraits() GraphTraits
}

// GraphTraits are properties of a driver's graphs that their users observe.
type GraphTraits struct {
	// Updates is the number of node updates after which an exec must be made again, because the driver uses more memory
	// for each. Zero: any number.
	Updates int
	// Pinned: an exec must not be updated or destroyed while it executes.
	Pinned bool
	// Chained: each node has to follow the previous one, whatever it depends on, since the driver executes graphs with
	// branches wrongly.
	Chained bool
	// KeepsHostcallsOut: kernels that call the host can't be in graphs, since their buffer belongs to the stream of
	// each launch.
	KeepsHostcallsOut bool
	// KeepsSharedFillsOut: fills of Shared memory can't be in graphs, since the driver does some of them before a
	// launch.
	KeepsSharedFillsOut bool
	// Auto: one-node graphs were measured to be cheaper than launches with this driver, so a measurement in each
	// process is worthwhile.
	Auto bool
}

// Place is the kind of memory at an address.
type Place int

// Places.
const (
	Pageable   Place = iota // host memory that the driver does not know
	DeviceOnly              // device memory that the host can't access
	Shared                  // managed memory, or registered host memory
)

// Placer is a driver that knows the kind of memory at an address.
type Placer interface {
	PlaceOf(Ptr) (Place, error)
}

// Capturer is a driver with which programs can capture streams.
type Capturer interface {
	// Capturing reports whether the program captures the stream.
	Capturing(Stream) (bool, error)
	// EndCapture ends the capture that the program began on the stream and drops what was captured. It is for drivers
	// whose StreamDestroy does not do so. forked: the capture was begun on another stream, which this stream has
	// joined. Such a capture continues, and the driver would access the stream at its end.
	EndCapture(Stream) (forked bool)
	// CaptureMode sets which calls of this thread end other threads' captures, and returns the previous mode. With
	// CaptureRelaxed no calls do.
	CaptureMode(mode uint32) (before uint32, err error)
}

// CaptureRelaxed is the number of the relaxed mode, which is the same in HIP and CUDA.
const CaptureRelaxed = 2
