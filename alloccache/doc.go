// Package alloccache caches freed memory for reuse. A driver takes a hundred microseconds for an allocation or a free,
// and a free waits for the whole device.
//
// A [Block] is one whole allocation of the driver, of one device and one kind. Its size is rounded up to a size class,
// by an eighth at most. A block is in one state at a time; transitions.go has the table of all changes:
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
// A free takes a mark of each stream that has work pending: the number of the stream's latest submission. The block may
// be reused once all its marks are covered. The program's own synchronizations cover most marks without a query. An
// allocation that finds no ready block queries the marks of one waiting block, without blocking. If they are not
// reached, the driver allocates.
//
// A [Scope] owns the blocks that are allocated while it is open, and reuses them the next time it is opened. It waits
// for one of its blocks instead of allocating another one.
//
// [Policy] says which free blocks are released to the driver, and when: policy.go.
//
// Concurrency: all functions may be called from any number of threads. Locks are held for list operations and never
// across driver calls; internal/locks has their order. The thread that changed a block's state owns the block until the
// next change.
//
// Nothing is freed at process exit: the vendor's library may be gone by then.
package alloccache
