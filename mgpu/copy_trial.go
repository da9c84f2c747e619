package mgpu

import (
	"slices"
	"sync/atomic"
)

// way is how a copy from the device is made.
type way uint8

const (
	byDriver way = iota // as the program asked
	byPinned            // by the driver to page-locked memory, from where C copies
	byKernel            // the same, but a kernel copies to page-locked memory
)

// trial finds out, for copies of one doubling of sizes, which way is the fastest here:
// by the driver or by page-locked memory, and whether a kernel is faster than what won.
type trial struct{ pinned, kernel duel }

// next tells how the next copy is made; kernel tells whether a kernel may make it.
func (t *trial) next(kernel func() bool) (how way) {
	second, fighting := t.pinned.next(now)
	if second {
		how = byPinned
	}
	if fighting || t.kernel.n.Load() == 0 && t.pinned.n.Load() < oftenCopied || !kernel() {
		return how
	}
	if second, _ = t.kernel.next(now); second {
		how = byKernel
	}
	return how
}

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

// duel compares two ways of making copies by the time from one copy to the next, the
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

// next tells whether the second way makes the next copy, and whether there is a duel.
func (d *duel) next(clock func() int64) (second, fighting bool) {
	n := d.n.Add(1) - 1
	if n >= secondDuel {
		n = (n - secondDuel) % retrial
	}
	if n > duelCopies {
		return d.won.Load(), false
	}
	at := clock()
	took := at - d.last.Swap(at)
	if before := n - 1; n > 0 && before%runCopies >= unsettled {
		run := before / runCopies
		d.took[run%2][run/2*(runCopies-unsettled)+before%runCopies-unsettled].Store(took)
	}
	if n < duelCopies {
		return n/runCopies%2 == 1, true
	}
	first, other := median(&d.took[0]), median(&d.took[1])
	d.won.Store(other < first-max(first/16, worthIt))
	return d.won.Load(), false
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
