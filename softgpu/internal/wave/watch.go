package wave

import "sync/atomic"

// To observe what waves do to memory, bind their instructions with [Watched]: every memory instruction then calls the
// wave's [Watch] before it accesses memory. Other instructions are not affected.

// Segment is a kind of memory.
type Segment uint8

// The kinds of memory.
const (
	Global    Segment = iota // also accessible by pointers of the host
	Workgroup                // LDS
	Private                  // a lane's scratch memory
)

// Operation is what an instruction does to memory.
type Operation uint8

// The operations. An atomic instruction updates.
const (
	Reads Operation = iota
	Writes
	Updates
)

// Manner is what the instructions around a memory instruction say about it.
type Manner uint8

const (
	Polls    Manner = 1 << iota // a load that is repeated until another thread has written
	Releases                    // a store after a wait for everything before it
)

// Touch is what is known of an access before its wave reaches it.
type Touch struct {
	Op       Operation
	Size     uint64 // bytes per lane
	Scalar   bool   // one access for the whole wave, as lane 0
	Coherent bool   // bypasses the caches: an atomic load, or a volatile one
	Arrives  bool   // updates a barrier in LDS, of GFX12.5: who reads it afterwards knows of what came before
	Tensor   bool   // a piece of a tensor that is copied for the whole wave, with any address; its size is not known before
	Manner   Manner
	Words    uint32         // the instruction's length in words; its own place is this far before Wave.PC
	Note     *atomic.Uint32 // belongs to the instruction, for the watch's use
	Data     Registers
	High     bool // the data are in the upper half of their register
}

// Access is an access that one wave is about to make.
type Access struct {
	Touch
	Segment Segment
	Lanes   uint64     // the lanes that take part
	At      [64]uint64 // addresses; in LDS and private memory, offsets
}

// HasData reports whether DatumByte is available.
func (a *Access) HasData() bool { return a.Data.Count > 0 }

// DatumByte returns byte n of the data that a lane stores.
func (a *Access) DatumByte(w *Wave, lane int, n uint64) byte {
	v := a.Data.Of(w, int(n/4))[lane]
	if a.High {
		v >>= 16
	}
	return byte(v >> (n % 4 * 8))
}

// Writable reports whether w may write size bytes of global memory at addr.
func (w *Wave) Writable(addr, size uint64) bool { return w.Reach(addr, size, true) }

// Span is the range of the lanes of one access.
type Span struct {
	Segment   Segment
	Low, High uint64 // of the first bytes of the lanes, inclusive
	Bits      uint64 // bits that are set in any lane's address; at least the lowest three are right
}

// Watch is called for what a wave does.
type Watch interface {
	// Fine reports whether an access by all lanes within s needs no check. For other accesses, Access is called with
	// details.
	Fine(w *Wave, t *Touch, s Span) bool
	// Access returns whether the wave may make the access. If not, it has set w's Fault.
	Access(w *Wave, a *Access) bool
	// Done is called after an instruction for which Fine or Access was called, whatever the result.
	Done()
	// Room returns the Access to fill in.
	Room() *Access
	// Arrives is called before w uses a resource of the global wave sync, and Leaves when w continues.
	Arrives(w *Wave)
	Leaves(w *Wave)
	// Barrier is called before w waits for its workgroup.
	Barrier(w *Wave)
	// Signals is called before w signals a barrier with a number, and Waited after it has waited for one.
	Signals(w *Wave, barrier int)
	Waited(w *Wave, barrier int)
	// Issued is called before each instruction that is bound with [Counted].
	Issued(w *Wave, u *Uses)
}
