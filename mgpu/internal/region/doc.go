// Package region records the calls of a thread between a begin and an end, and launches them as a driver's graph.
//
// [Regions] holds the program's graphs by key. A recorder turns the calls of one thread into a [launchgraph.Recording];
// state.go has its states. Two implementations of commands decide what happens with the calls. graphCommands makes or
// updates a driver's graph and launches it. If the key already has a graph, each new call is compared with the graph's
// calls, and parts of the graph are launched before the end. A call that can't be recorded ends the recording: the
// recorded calls are executed one by one, and the caller makes its own call. streamCommands is for processes in which
// nothing can be recorded: the calls are made at once and only noted.
//
// The package uses the rest of mgpu through [Runtime] and [Calls].
//
// Lock order: recorder.mu, graph.mu, Regions.mu. The first two are held across driver calls.
package region
