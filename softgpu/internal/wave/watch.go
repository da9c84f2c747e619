package wave

import "sync/atomic"

// Who wants to know what waves do to memory binds their instructions with
// [Watched]: every memory instruction then tells the wave's [Watch] what it is
// about to touch, before it does. Instructions that are bound without know
// nothing of it.

// Segment is a kind of memory.
type Segment uint8

// The kinds of memory.
const (
	Global    Segment = iota // what pointers of the host mean, too
	Workgroup                // LDS
	Private                  // a lane's scratch
)

// Operation is what an instruction does to memory.
type Operation uint8

// The operations. An atomic instruction updates.
const (
	Reads Operation = iota
	Writes
	Updates
)

// Manner is what the instructions around a memory instruction tell of it.
type Manner uint8

const (
	Polls    Manner = 1 << iota // a load that is repeated until somebody else has written
	Releases                    // a store after a wait for everything before it
)

// Touch is what is known of an access before its wave gets there.
type Touch struct {
	Op       Operation
	Size     uint64 // bytes per lane
	Scalar   bool   // one access for the whole wave, which stands as lane 0
	Coherent bool   // past the caches: an atomic load, or a volatile one
	Manner   Manner
	Words    uint32         // the instruction's length, in words: its own place is this far before Wave.PC
	Note     *atomic.Uint32 // the instruction's own, for whoever watches
	Data     Registers
	High     bool // the data are the upper half of their register
}

// Access is what one wave is about to touch.
type Access struct {
	Touch
	Segment Segment
	Lanes   uint64     // which ones take part
	At      [64]uint64 // addresses; in LDS and private memory, offsets from their beginning
}

// HasData tells whether DatumByte can be asked.
func (a *Access) HasData() bool { return a.Data.Count > 0 }

// DatumByte is byte n of what a lane stores.
func (a *Access) DatumByte(w *Wave, lane int, n uint64) byte {
	v := a.Data.Of(w, int(n/4))[lane]
	if a.High {
		v >>= 16
	}
	return byte(v >> (n % 4 * 8))
}

// Writable tells whether w may write size bytes of global memory at addr.
func (w *Wave) Writable(addr, size uint64) bool { return w.Reach(addr, size, true) }

// Span is where the lanes of one access are.
type Span struct {
	Segment   Segment
	Low, High uint64 // of the first bytes that lanes touch, the highest included
	Bits      uint64 // those that are set in any lane's address, of the lowest three at least
}

// Watch is told what a wave does.
type Watch interface {
	// Fine tells whether an access by all lanes within s is of no interest. What is
	// not fine is told in detail by Access.
	Fine(w *Wave, t *Touch, s Span) bool
	// Access returns whether the wave may do it. If not, it has set w's Fault.
	Access(w *Wave, a *Access) bool
	// Done is called when an instruction is over that Fine or Access was asked about,
	// whatever the answer was.
	Done()
	// Room is where an Access is put together.
	Room() *Access
	// Arrives is called before w does something to a resource of the global wave sync, and
	// Leaves when it goes on.
	Arrives(w *Wave)
	Leaves(w *Wave)
	// Barrier is called where w is about to wait for its workgroup.
	Barrier(w *Wave)
	// Issued is called before each instruction that is bound with [Counted].
	Issued(w *Wave, u *Uses)
}
