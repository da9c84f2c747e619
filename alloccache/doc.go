// Package alloccache keeps device memory for reuse: allocating and freeing cost
// a vendor a hundred microseconds, and freeing waits for the whole device.
//
// A [Block] is one whole allocation of the driver, of a size class that wastes at
// most an eighth, of one device and one kind. It is in one place at a time:
//
//	live     the program's
//	hand     in the hand of a thread, that is in C code; ready
//	free     on its shelf's list of its class; ready
//	waiting  on such a list; work that was submitted before it was freed may
//	         still use it
//	held     in the freeLists of one call
//	gone     the driver's again
//
// When a block is freed, marks are taken of the streams that have work pending:
// each says how much was submitted to its stream. The block is given out again once
// every mark is covered. That is mostly known without asking the driver, since the
// program's own synchronizations are noted where marks are compared. Where it is
// not, an allocation that finds nothing else asks, without blocking; else it goes to
// the driver. At [Strict] every stream counts, at [Stream] only the one that the
// program named.
//
// A [Scope] keeps the blocks allocated while it is open for the next time: it waits
// for a block of the right size that it has rather than grow.
//
// Concurrency: everything may be called from any number of threads. Locks are held
// for list operations only, never across a driver call, and never two at once, but
// for a scope's and then a shelf's. What moves a block's state owns it until the next
// move; C code moves states by the same rules (layout_unsafe.go).
//
// Nothing is freed at process exit: the vendor's library may be gone by then.
package alloccache
