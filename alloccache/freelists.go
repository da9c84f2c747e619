package alloccache

// FreeLists are the threads' free lists, from which C code serves allocations without entering Go. Methods may be
// called from any thread.
type FreeLists interface {
	// Take takes a block of the class off some thread's list; of any class if class is Any. It returns the address of
	// the block's memory, zero if there is no block.
	Take(class uint32) uintptr
	// Publish makes a block known to C code; Withdraw undoes that.
	Publish(b *Block)
	Withdraw(b *Block)
	// Each calls f for the address of each block on a list. The cache holds its lock.
	Each(f func(ptr uintptr))
}

// Any stands for every class.
const Any = ^uint32(0)
