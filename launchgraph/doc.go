// Package launchgraph launches kernels, copies and fills through graphs of the driver. A graph describes repeated work
// to the driver once.
//
// A launch through a graph of one node may take half as long as the driver's own launch, or twice as long. [NewOneNode]
// makes such graphs. [Gate] decides for each device whether to use them, by times measured in this process. Callers
// measure and launch (internal/fastpath/onenode.c).
//
// A [Recording] holds work that a program submitted to its streams and that is not executed yet: nodes, and the order
// between them that streams, events and waits of the host define. A [Graph] builds a driver's graph of a recording and
// launches it. If the next recording differs only in parameters, the Graph changes the nodes of the driver's graph in
// place.
//
// Graphs are built from nodes and never captured, since a capture by the library and one by the program would end each
// other.
//
// Concurrency: Gate may be used by any number of threads. A Recording or a Graph may be used by one thread at a time;
// the caller ensures that by a lock, also across driver calls. The package itself holds no lock across a driver call.
package launchgraph
