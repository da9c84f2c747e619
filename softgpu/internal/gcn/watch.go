package gcn

import (
	"strings"
	"sync/atomic"
)

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
	data     registers
	high     bool // the data are the upper half of their register
}

// Access is what one wave is about to touch.
type Access struct {
	Touch
	Segment Segment
	Lanes   uint64     // which ones take part
	At      [64]uint64 // addresses; in LDS and private memory, offsets from their beginning
}

// HasData tells whether DatumByte can be asked.
func (a *Access) HasData() bool { return a.data.count > 0 }

// DatumByte is byte n of what a lane stores.
func (a *Access) DatumByte(w *Wave, lane int, n uint64) byte {
	v := a.data.of(w, int(n/4))[lane]
	if a.high {
		v >>= 16
	}
	return byte(v >> (n % 4 * 8))
}

// Writable tells whether w may write size bytes of global memory at addr.
func (w *Wave) Writable(addr, size uint64) bool { return w.reach(addr, size, true) }

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

// spread finds the lanes and their addresses of one touch of an instruction.
type spread interface{ lanes(w *Wave, a *Access) }

// spanned knows cheaply what range a full wave touches.
type spanned interface {
	span(w *Wave) (s Span, ok bool)
}

// watched is an instruction that touches memory, in one or two places.
type watched struct {
	touch   Touch
	places  []spread
	spanned spanned // all places, if they are spanned
}

// see tells w's watch, and returns whether w may go on.
func (x *watched) see(w *Wave) bool {
	if x.spanned != nil {
		if s, ok := x.spanned.span(w); ok && w.Watch.Fine(w, &x.touch, s) {
			return true
		}
	}
	a := w.Watch.Room()
	for _, p := range x.places {
		a.Touch, a.Lanes = x.touch, 0
		if p.lanes(w, a); a.Lanes != 0 && !w.Watch.Access(w, a) {
			return false
		}
	}
	return true
}

// Watched is step, which i was bound to, for waves that have a Watch.
func Watched(i *Inst, step Step, m Manner) Step {
	if i.Enc == SOPP && i.Row.kin() == "s_barrier" {
		return func(w *Wave) {
			w.Watch.Barrier(w)
			step(w)
		}
	}
	if strings.HasPrefix(i.Row.kin(), "ds_gws") {
		return func(w *Wave) {
			if !w.gws.waits {
				w.Watch.Arrives(w)
			}
			if step(w); w.Status == Running {
				w.Watch.Leaves(w)
			}
		}
	}
	x := &watched{}
	touch, ok := Touches(i)
	if !ok {
		return step
	}
	x.touch = touch
	x.touch.Manner, x.touch.Note = m, new(atomic.Uint32)
	x.places = spreads(i, &x.touch)
	x.spanned = spanning(x.places)
	return func(w *Wave) {
		if x.see(w) {
			step(w)
		}
		w.Watch.Done()
	}
}

// noMemory are instructions of memory encodings that do not access any.
var noMemory = []string{"ds_nop", "ds_swizzle", "ds_permute", "ds_bpermute", "ds_gws", "s_dcache", "s_mem", "s_atc", "buffer_wb", "buffer_inv"}

// Touches tells whether i accesses memory, and how, by its name.
func Touches(i *Inst) (t Touch, ok bool) {
	switch i.Enc {
	case DS, FLAT, MUBUF, SMEM:
	default:
		return t, false
	}
	name := i.Row.kin()
	for _, n := range noMemory {
		if strings.HasPrefix(name, n) {
			return t, false
		}
	}
	t = Touch{Size: sizeInName(name), Words: uint32(i.Size) / 4, Scalar: i.Enc == SMEM, Coherent: (i.GLC || i.SC1) && i.Enc != SMEM}
	switch {
	case strings.Contains(name, "_load") || strings.HasPrefix(name, "ds_read"):
		t.Op = Reads
	case strings.Contains(name, "_store"):
		t.Op = Writes
	case strings.HasPrefix(name, "ds_write"):
		t.Op = Writes
	default:
		t.Op = Updates
	}
	if t.Op == Writes {
		t.data, t.high = storedData(i), strings.HasSuffix(name, "_d16_hi")
	}
	return t, true
}

// sizes are how names tell how much a lane moves, the longer ones first where
// one contains another.
var sizes = []struct {
	part  string
	bytes uint64
}{
	{"dwordx16", 64}, {"dwordx8", 32}, {"dwordx4", 16}, {"dwordx3", 12}, {"dwordx2", 8}, {"dword", 4},
	{"ubyte", 1}, {"sbyte", 1}, {"_byte", 1}, {"ushort", 2}, {"sshort", 2}, {"_short", 2},
	{"b128", 16}, {"b96", 12}, {"64", 8}, {"_x2", 8}, {"32", 4}, {"_b16", 2}, {"_u16", 2}, {"_i16", 2}, {"_b8", 1}, {"_u8", 1}, {"_i8", 1},
}

func sizeInName(name string) uint64 {
	name = strings.Replace(name, "st64", "", 1)
	for _, s := range sizes {
		if strings.Contains(name, s.part) {
			return s.bytes
		}
	}
	return 4
}

// storedData finds the registers that a store takes its data from: the vector
// source that is not the address. Those of a scalar store, and the second of
// ds_write2, are not looked at.
func storedData(i *Inst) registers {
	n := 1
	switch {
	case i.Enc == MUBUF:
		n = 0
	case i.Enc == SMEM || strings.HasPrefix(i.Row.kin(), "ds_write2"):
		return registers{}
	}
	if i.Src[n].Kind != VReg && i.Src[n].Kind != AReg {
		return registers{}
	}
	return bindRegisters(&i.Src[n])
}
