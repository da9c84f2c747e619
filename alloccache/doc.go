// Package alloccache caches freed memory for reuse: an allocation or a free takes a vendor
// a hundred microseconds, and a free waits for the whole device.
//
// A [Block] is one whole allocation of the driver, of one device and one kind, rounded up
// to a size class by an eighth at most. It is in one state at a time, and changes it by the table in
// transitions.go:
//
//	live     the program's
//	listed   on a thread's free list, which C code manages; ready for reuse, or waiting for
//	         the work of one stream
//	free     on the list of its class; ready for reuse
//	waiting  on the waiting list of its class: work that was submitted before the free
//	         may still use it
//	held     owned by one call that moves it between the other states
//	gone     released to the driver
//
// A free takes a mark of each stream that has work pending: how much was submitted to it.
// The block may be reused once all its marks are covered. The program's own
// synchronizations cover most marks without a query. An allocation that finds no ready
// block queries the marks of a waiting one, without blocking, and else has the driver
// allocate.
//
// A [Scope] owns the blocks that are allocated while it is open, and reuses them the next
// time: it waits for one of its blocks rather than allocate a further one.
//
// Which free blocks go back to the driver, and when, is [Policy]'s: policy.go.
//
// Concurrency: all functions may be called from any number of threads. Locks are held for
// list operations, never across driver calls; package locks has their order. The thread that
// changed a block's state owns the block until the next change.
//
// Nothing is freed at process exit: the vendor's library may be gone by then.
package alloccache
