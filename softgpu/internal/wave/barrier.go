package wave

// Barrier is a workgroup's barrier, which its waves share, with its barriers that have a number.
type Barrier struct {
	Members int    // waves that have not ended
	Arrived int    // those of them that are there
	Phase   uint32 // how often all of them were

	Named      [MostNamed + 1]NamedBarrier
	NamedCount int // the highest number in use
}

// Arrive notes that the wave has got to its workgroup's barrier.
func (w *Wave) Arrive() {
	if !w.arrived && w.Group != nil {
		w.Group.Arrived++
	}
	w.arrived = true
}

// Leave takes a wave that has ended out of the barrier.
func (w *Wave) Leave() {
	if w.Group != nil {
		w.Group.Members--
		if w.arrived {
			w.Group.Arrived--
		}
	}
	w.arrived = false
}

// Pass lets a wave that waits go on where all waves have arrived since it last did, or where the barrier with a number
// that it waits for is complete.
func (w *Wave) Pass() {
	if w.atNamed {
		if w.namedPassed() {
			w.Status = Running
		}
		return
	}
	if w.Group != nil && w.passed != w.Group.Phase {
		w.passed++
		w.Status = Running
	}
}

// Release begins the next phase for a wave: it has not arrived, and goes on if it waits.
func (w *Wave) Release() {
	w.arrived = false
	if w.Status == AtBarrier {
		w.Pass()
	}
}

// JoinBarrier makes the barrier that of the wave, which has neither arrived nor passed.
func (w *Wave) JoinBarrier(b *Barrier) {
	w.Group, w.arrived, w.passed = b, false, b.Phase
	w.joined, w.seen, w.atNamed = 0, 0, false
}
