package alloccache

import "sync/atomic"

// Kind says what kind of memory a block is. Kinds never mix.
type Kind uint8

// Kinds.
const (
	Device  Kind = iota // memory of a device
	Managed             // shared by host and devices
	Pinned              // page-locked memory of the host, the library's own
	kinds
)

var kindNames = [...]string{Device: "device", Managed: "managed", Pinned: "pinned"}

func (k Kind) String() string { return kindNames[k] }

// State says where a block is.
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

var stateNames = [...]string{Gone: "gone", Live: "live", Listed: "free", Free: "free", Waiting: "waiting", Held: "held"}

func (s State) String() string { return stateNames[s] }

// The word of a block.
//
//mgpu:enum block
const (
	stateMask = 7
	quickBit  = 8  // C code may take it into a thread's hand when it is freed
	oneMore   = 16 // a serial number above them: what was seen of a block goes stale
)

// Block is one allocation of the driver's.
//
//mgpu:struct block word ptr class row asked site stamp bytes told
type Block struct {
	word  atomic.Uint64
	ptr   uintptr
	class uint32
	row   atomic.Int32   // the mgpu function that allocated it last
	asked atomic.Uint64  // bytes that the program asked for last
	site  atomic.Uintptr // where the program did
	stamp atomic.Int64   // when it was given out or freed last, in nanoseconds
	bytes uint64         // that the driver gave
	told  atomic.Bool    // a misuse was reported since it was given out
	exact bool           // smaller than its class: never given out twice
	kind  Kind
	dev   uint16

	// Of whoever holds the block; on a list, of the list's lock.
	prev, next *Block
	marks      []Mark
	stream     uintptr // that the program freed it on, at Stream
	session    *Session
	home       atomic.Pointer[Scope] // that owns it; nil: its shelf does
	index      int                   // in the cache's register
}

// Ptr returns the address of the block's memory.
func (b *Block) Ptr() uintptr { return b.ptr }

// Bytes returns how many the driver gave.
func (b *Block) Bytes() uint64 { return b.bytes }

// Device returns which device's memory it is.
func (b *Block) Device() int { return int(b.dev) }

// Kind returns what kind of memory it is.
func (b *Block) Kind() Kind { return b.kind }

// Marks returns what the block waits for, to the caller that holds it.
func (b *Block) Marks() []Mark { return b.marks }

// State returns where the block is: Gone for nil.
func (b *Block) State() State {
	if b == nil {
		return Gone
	}
	return State(b.word.Load() & stateMask)
}

// move changes the state from one to another, and fails if it is not the first.
func (b *Block) move(from, to State) bool {
	for {
		w := b.word.Load()
		if State(w&stateMask) != from {
			return false
		}
		if b.word.CompareAndSwap(w, (w&^stateMask+oneMore)|uint64(to)) {
			return true
		}
	}
}

// ready reports whether nothing that was submitted before the block was freed may
// still use it, as far as is known.
func (b *Block) ready() bool {
	for _, m := range b.marks {
		if !m.covered() {
			return false
		}
	}
	return true
}

// list links blocks, the one freed last first.
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
