// Package region records the calls of a thread between a begin and an end, and launches them as
// a driver's graph.
//
// [Regions] holds the program's graphs by key. A recorder turns the calls of one thread into a
// [launchgraph.Recording]; state.go has its states. Two implementations of commands say what
// becomes of the calls. graphCommands makes or updates a driver's graph, and launches it. If the
// key has a graph already, calls are compared with it as they come, and parts of it are launched
// before the end. What can't be recorded ends the recording: the recorded calls are executed one
// by one, and the caller makes its own. streamCommands only notes the calls, which are made as
// they come, where nothing can be recorded.
//
// The package sees the rest of mgpu through [Runtime] and [Calls].
//
// Locks, in this order: recorder.mu, graph.mu, Regions.mu. The first two are held across driver
// calls.
package region
