package alloccache

import (
	"fmt"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/invariants"
)

// Kind is the kind of a block's memory. A block is never reused as another kind.
type Kind uint8

// Kinds.
const (
	Device  Kind = iota // memory of one device
	Managed             // shared by host and devices
	kinds
)

var kindNames = [...]string{Device: "device", Managed: "managed"}

func (k Kind) String() string { return kindNames[k] }

// State says who owns a block; see the package comment.
type State uint8

// States.
//
//mgpu:enum block Live Listed
const (
	Gone State = iota
	Live
	Listed
	Free
	Waiting
	Held
)

var stateNames = [...]string{Gone: "gone", Live: "live", Listed: "listed", Free: "free", Waiting: "waiting", Held: "held"}

func (s State) String() string { return stateNames[s] }

// The word of a block.
//
//mgpu:enum block quickBit
const (
	stateMask  = 7
	quickBit   = 8  // C code may put the block on a thread's free list when the program frees it
	trustedBit = 16 // see Config.Trusts
	oneMore    = 32 // the bits above count state changes, so that a stale word never matches
)

// stateOf returns the state in a block's word.
//
//mgpu:func block_state
func stateOf(word uint64) uint64 { return word & stateMask }

// Kinds of misuse. Each kind is reported once per block, since a double free and a free of a wrong address are
// different bugs.
const (
	freedTwice = 1 << iota
	freedInside
)

// Block is one allocation of the driver.
//
//mgpu:struct block word ptr class call asked site stamp bytes reported waitsFor waitsUpTo waitsSince
type Block struct {
	word     atomic.Uint64
	ptr      uintptr
	class    uint32
	call     atomic.Int32   // number of the mgpu function that allocated the block last
	asked    atomic.Uint64  // bytes that the program requested last
	site     atomic.Uintptr // return address of the program's last allocation
	stamp    atomic.Int64   // time of the last allocation or free, in nanoseconds
	bytes    uint64         // size, as allocated by the driver
	reported atomic.Uint32  // kinds of misuse that were reported since the last allocation
	exact    bool           // the size is smaller than the class: the block is never reused
	kind     Kind
	dev      uint16

	// The submission that a listed block waits for; C writes these fields.
	waitsFor   atomic.Uintptr // address of a stream's entry; zero: nothing
	waitsUpTo  atomic.Uint64  // number of the stream's latest submission at the free
	waitsSince atomic.Uint64  // streams_version at the free; waitsFor is valid while streams_version is the same

	// Guarded by the list's lock while the block is on a list, else owned by the block's owner.
	prev, next *Block
	marks      []Mark
	session    *Session
	scope      atomic.Pointer[Scope] // the scope that owns the block; nil: none
	index      int                   // in Cache.blocks
}

// Ptr returns the address of the block's memory.
func (b *Block) Ptr() uintptr { return b.ptr }

// Bytes returns the block's size.
func (b *Block) Bytes() uint64 { return b.bytes }

// Device returns the device of the block's memory.
func (b *Block) Device() int { return int(b.dev) }

// Kind returns the kind of the block's memory.
func (b *Block) Kind() Kind { return b.kind }

// Marks returns the marks that the block waits for. The caller owns the block.
func (b *Block) Marks() []Mark { return b.marks }

// Trusted reports whether Trust was called for the block.
func (b *Block) Trusted() bool { return b.word.Load()&trustedBit != 0 }

// State returns the block's state; Gone for nil.
func (b *Block) State() State {
	if b == nil {
		return Gone
	}
	return State(stateOf(b.word.Load()))
}

// move changes the state from from to to. It fails in any other state.
func (b *Block) move(from, to State) bool {
	for {
		w := b.word.Load()
		if State(stateOf(w)) != from {
			return false
		}
		if b.moveUnchanged(w, from, to) {
			return true
		}
	}
}

// moveUnchanged is move for a block whose word was w. It also fails if the word has changed.
//
//mgpu:func block_move
func (b *Block) moveUnchanged(w uint64, from, to State) bool {
	if invariants.Enabled {
		b.moves(from, to)
	}
	done := stateOf(w) == uint64(from) && b.word.CompareAndSwap(w, (w&^stateMask+oneMore)|uint64(to))
	if invariants.Enabled {
		b.moved(done, from, to)
	}
	return done
}

// moves and moved check a change of state against the table, and record who holds the block.
func (b *Block) moves(from, to State) {
	invariants.Require(transitions, from, to)
	if from == Held { // before the change, since another thread may hold the block right after it
		invariants.Gave(invariants.Block, b)
	}
}

func (b *Block) moved(done bool, from, to State) {
	if done && to == Held || !done && from == Held {
		invariants.Took(invariants.Block, b)
	}
}

// leave moves a block that the caller holds.
func (b *Block) leave(to State) {
	if !b.move(Held, to) && invariants.Enabled {
		panic(fmt.Sprintf("the block at %#x is %s, not held", b.ptr, b.State()))
	}
}

// ready reports whether all work that may use the block is known to be done.
func (b *Block) ready() bool {
	for _, m := range b.marks {
		if !m.covered() {
			return false
		}
	}
	return true
}

// uncovered appends the marks that the block waits for, up to open's capacity.
func (b *Block) uncovered(open []Mark) []Mark {
	for _, m := range b.marks {
		if !m.covered() && len(open) < cap(open) {
			open = append(open, m)
		}
	}
	return open
}

// list is a linked list of blocks. Its head was freed last.
type list struct{ head, tail *Block }

func (l *list) push(b *Block) {
	b.prev, b.next = nil, l.head
	if l.head != nil {
		l.head.prev = b
	} else {
		l.tail = b
	}
	l.head = b
}

func (l *list) remove(b *Block) {
	if b.prev != nil {
		b.prev.next = b.next
	} else {
		l.head = b.next
	}
	if b.next != nil {
		b.next.prev = b.prev
	} else {
		l.tail = b.prev
	}
	b.prev, b.next = nil, nil
}
