package wave

import "fmt"

// NamedBarrier is one of the barriers of GFX12.5 that a program numbers from one on. (LLVM's "AMDGPU Execution
// Synchronization".)
type NamedBarrier struct {
	Expected uint32 // arrivals that complete a phase; 0: it was not initialized
	Arrived  uint32
	Phase    uint32 // phases that were completed
}

// MostNamed is the highest number of such a barrier.
const MostNamed = 16

// Named returns a barrier by its number; nil if the workgroup does not have it, which is a fault of the wave.
func (w *Wave) Named(number uint32) *NamedBarrier {
	if w.Group == nil || number > uint32(w.Group.NamedCount) {
		n := 0
		if w.Group != nil {
			n = w.Group.NamedCount
		}
		w.Fail(fmt.Sprintf("barrier %d is used in a workgroup that has %d with a number", number, n), -1, 0)
		return nil
	}
	return &w.Group.Named[number]
}

// InitBarrier makes a barrier expect so many arrivals; 0 leaves that number as it is.
func (w *Wave) InitBarrier(number, expected uint32) {
	if b := w.Named(number); b != nil && number != 0 {
		if expected != 0 {
			b.Expected = expected
		}
		b.Arrived = 0
	}
}

// Signal is an arrival at a barrier, which now expects so many, unless that is 0. It returns whether it is the phase's
// first one.
func (w *Wave) Signal(number, expected uint32) (first bool) {
	b := w.Named(number)
	if b == nil || number == 0 {
		return false
	}
	if expected != 0 {
		b.Expected = expected
	}
	switch {
	case b.Expected == 0:
		w.Fail(fmt.Sprintf("barrier %d is signaled, but was not initialized", number), -1, 0)
		return false
	case b.Arrived >= b.Expected:
		w.Fail(fmt.Sprintf("barrier %d expects %d signals, after %d of them", number, b.Expected, b.Arrived), -1, 0)
		return false
	}
	first = b.Arrived == 0
	if b.Arrived++; b.Arrived == b.Expected {
		b.Arrived = 0
		b.Phase++
	}
	return first
}

// JoinNamed makes a barrier the one that the wave waits for; number 0: none.
func (w *Wave) JoinNamed(number uint32) {
	if b := w.Named(number); b != nil {
		w.joined, w.seen = number, b.Phase
	}
}

// Joined returns the number of the barrier that the wave has joined; 0: none.
func (w *Wave) Joined() int { return int(w.joined) }

// WaitNamed waits for the barrier that the wave has joined: it reports whether a phase of it was completed since the wave
// joined it, or last waited for it. If not, the wave stops, and has to repeat the instruction, of so many words.
func (w *Wave) WaitNamed(words uint32) bool {
	if w.atNamed = !w.namedPassed(); w.atNamed {
		w.Status = AtBarrier
		w.PC -= words
		return false
	}
	if w.joined != 0 {
		w.seen = w.Group.Named[w.joined].Phase
	}
	return true
}

func (w *Wave) namedPassed() bool {
	return w.joined == 0 || w.Group.Named[w.joined].Phase != w.seen
}

// AtNamed reports whether a wave that waits does so at a barrier with a number.
func (w *Wave) AtNamed() bool { return w.atNamed }
