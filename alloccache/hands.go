package alloccache

// FreeLists are the freeLists of threads, where C code keeps blocks that it gives out by
// itself. Methods may be called from any thread.
type FreeLists interface {
	// Take takes a block of a class out of any hand, of any class if it is Any; zero:
	// there is none. It gives the address of the block's memory.
	Take(class uint32) uintptr
	// Publish makes a block known to C code, Withdraw unknown.
	Publish(b *Block)
	Withdraw(b *Block)
	// Each calls f for what lies in freeLists at the moment.
	Each(f func(ptr uintptr))
}

// Any stands for every class.
const Any = ^uint32(0)
