package hsakmt

import (
	"math/bits"
	"sync/atomic"
)

// flags are HsaMemFlags.
type flags uint32

// The flags that matter here.
const (
	nonPaged     flags = 1 << 0
	readOnly     flags = 1 << 3
	hostAccess   flags = 1 << 6
	gdsMemory    flags = 1 << 8
	scratch      flags = 1 << 9
	coarseGrain  flags = 1 << 13
	fixedAddress flags = 1 << 15
	noAddress    flags = 1 << 18 // ROCm 6 on
	onlyAddress  flags = 1 << 19
)

// kind is HSA_POINTER_TYPE.
type kind uint32

const (
	internal   kind = iota // the thunk's own: unknown to the host
	allocated              // host and GPU use one address
	registered             // host memory that the GPU knows at another address
	_                      // graphics
	shared                 // another process's allocation
)

// nodeSet is a set of nodes by number.
type nodeSet uint64

const everyNode = ^nodeSet(0)

func nodeBit(node uint32) nodeSet { return 1 << node }

// block is a range of addresses that GPUs may use.
type block struct {
	lo, hi uint64 // as GPUs see it, whole pages
	host   uint64 // where lo is in the host's memory
	kind   kind
	node   uint32 // whose memory it is
	flags  flags
	mapped nodeSet // nodes that may access it

	user          uint64  // the runtime's own word
	registrations int     // of a registered block, how many
	mappings      int     // of a registered block, how many that were not undone
	toNodes       nodeSet // that it was registered for; empty: all
	start, length uint64  // of a registered block, what the host asked for

	found atomic.Uint64 // when the host had a registered block's pages last, by the clock of delayedUnmaps

	inFile   bool   // the pages are those of the VRAM's file
	offset   uint64 // where they are there
	exported bool   // another process may have mapped them

	// Of a block that a driver has placed.
	placed   bool
	hostGone bool   // the host has unmapped its addresses
	gone     func() // what remains to be done when nothing can touch the pages any more; nil: nothing

	// With the checker.
	serial uint64 // number of the allocation
	guard  uint64 // bytes behind hi that are nobody's
	exact  uint64 // bytes that the program asked for; zero: unknown
	freed  uint64 // the how many-th block to be freed; zero: it lives
	site   *Site  // what allocated it; nil: unknown
}

func (b *block) size() uint64 { return b.hi - b.lo }

// end is where what the program asked for ends.
func (b *block) end() uint64 {
	if b.exact != 0 {
		return b.lo + b.exact
	}
	return b.hi
}

// aliased tells whether GPUs use another address than the host.
func (b *block) aliased() bool { return b.lo != b.host }

// gpuAddress is how GPUs know the host's address.
func (b *block) gpuAddress(host uint64) uint64 { return b.lo + (host - b.host) }

// members lists the nodes of a set.
func (s nodeSet) members() []uint32 {
	var nodes []uint32
	for ; s != 0; s &= s - 1 {
		nodes = append(nodes, uint32(bits.TrailingZeros64(uint64(s))))
	}
	return nodes
}
