package mgpu

import (
	"slices"
	"sync/atomic"
)

// A trial makes runs of copies the one way and the other in turns; the first copies of each
// run are not timed. Then all copies are made the way that won, until the next trial: soon
// after the first, when the program has settled, and later at intervals.
const (
	trialRuns     = 8
	runCopies     = 32
	untimedCopies = 8
	trialCopies   = trialRuns * runCopies
	secondTrial   = 1024
	trialInterval = 16384
	timedCopies   = trialRuns / 2 * (runCopies - untimedCopies)
)

// minGainNS is how many nanoseconds staging must save to be chosen.
const minGainNS = 2000

// trial compares copies by the driver with staged ones, for one doubling of sizes. It takes
// the time from one copy to the next, the program's own work included, and compares medians: a
// slower call may leave less to wait for elsewhere. The timed path differs from the normal one
// by one clock reading only. That matters: a microsecond more before the driver's copy decides
// whether its engine finds the preceding kernel done, and a longer path once showed the driver
// a third faster than it was. Staging wins if it is faster by a sixteenth, and by minGainNS at
// least.
type trial struct {
	copies     atomic.Uint32
	stagingWon atomic.Bool  // result of the latest trial
	lastStart  atomic.Int64 // when the trial's latest copy began
	times      [2][timedCopies]atomic.Int64
}

// stagesNext reports whether the next copy is staged.
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

// trialFor returns the index of the trial for a size.
func trialFor(bytes uint64) int {
	size := 0
	for bytes>>(minStagedLog+1+size) != 0 {
		size++
	}
	return min(size, stagedDoublings-1)
}
