// Package streampool keeps streams and events for reuse: creating a stream
// costs a vendor milliseconds, and lowered programs create one per launch.
//
// A stream or event is in one place at a time:
//
//	live      checked out, belongs to whoever got it
//	idle      in the hand of the thread that gave it back or, from there, on its
//	          device's stack: the last one in is the first one out
//	draining  given back with work pending; asked, without blocking and a few
//	          per Get, until it turns out to be idle
//	gone      really destroyed, because enough others are kept or the driver
//	          failed when it was asked
//
// Whether work is pending is known without asking the driver when the caller
// notes submissions and synchronizations on the [Entry]: [Submission] says how.
// Checking out counts as a submission: a stream that was never synchronized may
// have been handed to another library, so it is asked.
//
// An event waits in the draining list while what it recorded is unfinished: a
// wait on it that was submitted before can only be pending as long as that, as
// waits capture the event's state when they are submitted.
//
// The side table types every handle that the pool created. A handle that it
// does not know is foreign and goes to the driver untouched. Handles of one
// process are distinct across streams and events while they live, as vendors'
// are (addresses of their objects).
//
// Concurrency: everything may be called from any number of threads. Hands, idle
// stacks and the side table take no lock; draining lists take a mutex of their own,
// which is never held across a driver call. There is no lock order because no
// two locks are ever held at once, but for the side table's own, which is a leaf.
//
// Nothing is destroyed at process exit: the vendor's library may be gone by then.
package streampool
