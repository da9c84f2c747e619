// Package region records the calls of a thread between a begin and an end, and launches them as
// a driver's graph.
//
// [Regions] holds the program's graphs by key. A recorder turns the calls of one thread into a
// [launchgraph.Recording]; at the end the graph of the key is made or updated, and launched. If
// the key has a graph already, calls are compared with it as they come, and parts of it are
// launched before the end. What can't be recorded ends the recording: the recorded calls are
// executed one by one, and the caller makes its own.
//
// The package sees the rest of mgpu through [Runtime] and [Calls].
//
// Locks, in this order: recorder.mu, graph.mu, Regions.mu. Each is held across driver calls.
package region
