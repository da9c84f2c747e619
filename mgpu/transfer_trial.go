package mgpu

import (
	"slices"
	"sync/atomic"
)

// A duel has runs of copies made one way and the other way in turns, of which the first
// are not timed. Then all copies are made the way that won, until there is another duel:
// soon after the first, when the program has come to rest, and later now and then.
const (
	trialRuns     = 8
	runCopies     = 32
	untimedCopies = 8
	trialCopies   = trialRuns * runCopies
	secondTrial   = 1024
	trialInterval = 16384
	timedCopies   = trialRuns / 2 * (runCopies - untimedCopies)
)

// minGainNS is how many nanoseconds faster a way has to be to be taken at all.
const minGainNS = 2000

// trial compares two ways of making copies of one doubling of sizes, by the driver (first)
// and through page-locked memory (second), by the time from one copy to the next, the
// program's own work in between included; the medians count. That is more to the point
// than how long the calls take: one that takes longer may leave less to wait for
// elsewhere. And a copy of a duel goes the same way through here as any other but for a
// look at the clock, which matters: a microsecond more or less before the driver's copy
// decides whether its engine finds the kernel before it done, and a duel that took more
// showed the driver's way a third faster than it was without. The second way wins if it
// is faster by a sixteenth and by minGainNS at least.
type trial struct {
	copies     atomic.Uint32
	stagingWon atomic.Bool  // by the second
	lastStart  atomic.Int64 // when the last copy of the duel began
	times      [2][timedCopies]atomic.Int64
}

// stagesNext tells whether the second way makes the next copy.
func (d *trial) stagesNext(clock func() int64) (second bool) {
	n := d.copies.Add(1) - 1
	if n >= secondTrial {
		n = (n - secondTrial) % trialInterval
	}
	if n > trialCopies {
		return d.stagingWon.Load()
	}
	at := clock()
	took := at - d.lastStart.Swap(at)
	if before := n - 1; n > 0 && before%runCopies >= untimedCopies {
		run := before / runCopies
		d.times[run%2][run/2*(runCopies-untimedCopies)+before%runCopies-untimedCopies].Store(took)
	}
	if n < trialCopies {
		return n/runCopies%2 == 1
	}
	first, other := median(&d.times[0]), median(&d.times[1])
	d.stagingWon.Store(other < first-max(first/16, minGainNS))
	return d.stagingWon.Load()
}

func median(of *[timedCopies]atomic.Int64) int64 {
	var ns [timedCopies]int64
	for i := range of {
		ns[i] = of[i].Load()
	}
	slices.Sort(ns[:])
	return ns[timedCopies/2]
}

// trialFor is which trial is of copies of so many bytes.
func trialFor(bytes uint64) int {
	size := 0
	for bytes>>(minStagedLog+1+size) != 0 {
		size++
	}
	return min(size, stagedDoublings-1)
}
