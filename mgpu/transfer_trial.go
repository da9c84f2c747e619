package mgpu

import (
	"slices"
	"sync/atomic"
)

// A duel has runs of copies made one way and the other way in turns, of which the first
// are not timed. Then all copies are made the way that won, until there is another duel:
// soon after the first, when the program has come to rest, and later now and then.
const (
	runs       = 8
	runCopies  = 32
	unsettled  = 8
	duelCopies = runs * runCopies
	secondDuel = 1024
	retrial    = 16384
	timedEach  = runs / 2 * (runCopies - unsettled)
)

// worthIt is how many nanoseconds faster a way has to be to be taken at all.
const worthIt = 2000

// duel compares two ways of making copies of one doubling of sizes, by the driver (first)
// and through page-locked memory (second), by the time from one copy to the next, the
// program's own work in between included; the medians count. That is more to the point
// than how long the calls take: one that takes longer may leave less to wait for
// elsewhere. And a copy of a duel goes the same way through here as any other but for a
// look at the clock, which matters: a microsecond more or less before the driver's copy
// decides whether its engine finds the kernel before it done, and a duel that took more
// showed the driver's way a third faster than it was without. The second way wins if it
// is faster by a sixteenth and by worthIt at least.
type duel struct {
	n    atomic.Uint32
	won  atomic.Bool  // by the second
	last atomic.Int64 // when the last copy of the duel began
	took [2][timedEach]atomic.Int64
}

// next tells whether the second way makes the next copy.
func (d *duel) next(clock func() int64) (second bool) {
	n := d.n.Add(1) - 1
	if n >= secondDuel {
		n = (n - secondDuel) % retrial
	}
	if n > duelCopies {
		return d.won.Load()
	}
	at := clock()
	took := at - d.last.Swap(at)
	if before := n - 1; n > 0 && before%runCopies >= unsettled {
		run := before / runCopies
		d.took[run%2][run/2*(runCopies-unsettled)+before%runCopies-unsettled].Store(took)
	}
	if n < duelCopies {
		return n/runCopies%2 == 1
	}
	first, other := median(&d.took[0]), median(&d.took[1])
	d.won.Store(other < first-max(first/16, worthIt))
	return d.won.Load()
}

func median(of *[timedEach]atomic.Int64) int64 {
	var ns [timedEach]int64
	for i := range of {
		ns[i] = of[i].Load()
	}
	slices.Sort(ns[:])
	return ns[timedEach/2]
}

// trialOf is which trial is of copies of so many bytes.
func trialOf(bytes uint64) int {
	size := 0
	for bytes>>(leastStagedLog+1+size) != 0 {
		size++
	}
	return min(size, stagedBits-1)
}
