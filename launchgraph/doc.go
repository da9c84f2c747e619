// Package launchgraph launches kernels, copies and fills through drivers' graphs: work that
// is submitted repeatedly is described to the driver once.
//
// Launching through a graph of one node may take half as long as the driver's own launch,
// or twice as long. [NewOneNode] makes such graphs. [Gate] decides for each device, by what
// was measured in this process. Callers measure and launch (internal/fastpath/onenode.c).
//
// A [Recording] holds work that a program submitted to its streams and that was not executed:
// nodes, and the order that streams, events and waits of the host make between them. A
// [Graph] builds a driver's graph of a recording and launches it. If the next recording
// differs in parameters only, it changes the nodes of the driver's graph in place.
//
// Graphs are built from nodes, never captured: a capture by the library and one by the
// program would end each other.
//
// Concurrency: Gate may be used by any number of threads. A Recording or a Graph is used by
// one thread at a time; the caller holds a lock for that, also across driver calls. The
// package itself holds no lock across a driver call.
package launchgraph
