package hsa

import "sync/atomic"

// kind is the origin of a block's memory.
type kind uint32

const (
	internal   kind = iota // the emulator's own: unknown to the host
	allocated              // host and GPU use one address
	registered             // host memory that the GPU may know at another address
	shared                 // another process's allocation
)

// nodeSet is a set of nodes by number.
type nodeSet uint64

func nodeBit(node uint32) nodeSet { return 1 << node }

// Block is a range of addresses that GPUs may use.
type Block struct {
	lo, hi   uint64 // as GPUs see it, whole pages
	host     uint64 // where lo is in the host's memory
	kind     kind
	node     uint32  // owner of the memory
	readOnly bool    // for GPUs
	inFile   bool    // the pages belong to a file, not to the host
	mapped   nodeSet // nodes that may access it

	found    atomic.Uint64 // clock of delayedUnmaps when a registered block's pages were last found mapped
	hostGone bool          // the host has unmapped its addresses
	gone     func()        // called when no GPU can touch the pages any more; may be nil

	// With the checker.
	serial uint64 // number of the allocation
	guard  uint64 // bytes from hi on that belong to no block
	exact  uint64 // bytes that the program asked for; zero: unknown
	freed  uint64 // ordinal among freed blocks; zero: not freed
	site   *Site  // the call that allocated it; nil: unknown
}

func (b *Block) size() uint64 { return b.hi - b.lo }

// end is the end of the bytes that the program asked for.
func (b *Block) end() uint64 {
	if b.exact != 0 {
		return b.lo + b.exact
	}
	return b.hi
}

// aliased reports whether GPUs use another address than the host.
func (b *Block) aliased() bool { return b.lo != b.host }
