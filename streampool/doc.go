// Package streampool reuses streams and events: creating a stream takes a vendor
// milliseconds, and lowered programs create one per launch.
//
// A stream or event is in one state at a time, and changes it by the table in transitions.go:
//
//	live      checked out; the program's
//	idle      free for reuse: in the slot of the thread that gave it back, or on its
//	          device's stack, last in, first out
//	draining  given back with work pending. Each Get queries a few of these, without
//	          blocking, until one turns out to be idle
//	ending    about to be destroyed; draining again if a driver call is under way on it
//	gone      destroyed: enough others are pooled, or a query of it failed
//
// The pool knows without a query whether work is pending if the caller notes
// submissions and synchronizations on the [Entry]; see [Submission]. Checking out
// counts as a submission, since the program may have passed a stream that it never
// synchronized to another library.
//
// A free of memory that does not wait for the device keeps the order that the wait would have
// made: see submission_frees.go.
//
// An event drains until the work that it recorded is done. Waits for the event that
// were submitted before are done by then too: a wait captures the event's state when
// it is submitted.
//
// The side table holds every handle that the pool created, with its kind. Any other
// handle is foreign and passes to the driver unchanged. Live streams and events of a
// process have distinct handles, since vendors use the addresses of their objects.
//
// Concurrency: all functions may be called from any number of threads. Slots, idle
// stacks and the side table take no lock. Package locks has the order of the others.
//
// Nothing is destroyed at process exit: the vendor's library may be gone by then.
package streampool
