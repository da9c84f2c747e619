// Package launchgraph launches kernels, copies and fills through drivers' graphs: work that
// is submitted repeatedly is described to the driver once.
//
// A graph of one node may issue a launch for half of what the driver's own launch
// takes, or for twice as much: [Gate] judges by what was measured in this process,
// device by device, and [NewOneNode] makes such graphs. Who measures and launches is the
// caller, which does so where the program launches (internal/fastpath/onenode.c).
//
// A [Recording] notes what a program submits to its streams instead of submitting
// it: nodes, with the order that streams, events and waits of the host make between
// them. [Graph] makes a driver's graph of it, changes the nodes of the one that it
// has where the next recording differs in its parameters only, and launches it.
//
// Graphs are built from nodes, never captured: a capture of ours and one of the program's
// would end each other.
//
// Concurrency: Gate may be used by any number of threads; a Recording and
// a Graph by one at a time, which their holder sees to. No lock is held across a
// driver call but a Graph's holder's own.
package launchgraph
