// Package streampool reuses streams and events. Lowered programs create a stream per launch, which takes CUDA some
// microseconds and HIP up to milliseconds.
//
// A stream or event is in one state at a time. transitions.go has the table of all changes:
//
//	live      checked out; the program's
//	idle      free for reuse: in the slot of the thread that gave it back, or on its
//	          device's stack, last in, first out
//	draining  given back with work pending. Each Get queries a few of these, without
//	          blocking, until one turns out to be idle
//	ending    about to be destroyed; draining again if a driver call is under way on it
//	gone      destroyed: enough others are pooled, or a query of it failed
//
// A caller that notes each submission and synchronization on the [Entry] saves queries: the pool then knows whether
// work is pending; see [Submission]. Checking out counts as a submission, since the program may pass the stream to
// another library and never synchronize it.
//
// A free of memory that does not wait for the device keeps the order that the wait would have made; see
// submission_frees.go.
//
// An event drains until the work that it recorded is done. Earlier waits for the event are done by then too: a wait
// captures the event's state when it is submitted.
//
// The side table holds every handle that the pool created, with its kind. Any other handle is foreign and passes to the
// driver unchanged. Live streams and events of a process have distinct handles, since drivers use the addresses of
// their objects.
//
// Concurrency: all functions may be called from any number of threads. Slots, idle stacks and the side table take no
// lock. internal/locks has the order of the other locks.
//
// Nothing is destroyed at process exit: the vendor's library may be gone by then.
package streampool
