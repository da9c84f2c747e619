package mgpu

import (
	"math"
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

// Of every retrial copies of one doubling of sizes the first are timed: some made one
// way, then as many made the other way. The first of each show what was before them.
const (
	trialsEach = 16
	unsettled  = 4
	trialsAll  = 2 * trialsEach
	retrial    = 4096
)

// trial finds out, for copies of one doubling of sizes, which way is the fastest here:
// by the driver or by page-locked memory, and whether a kernel is faster than what won.
type trial struct{ pinned, kernel duel }

// worthIt is how many nanoseconds faster a way has to be to be taken at all.
const worthIt = 2000

// duel times copies made one way and then another. The second way wins if it is faster
// by an eighth and by worthIt at least: what a little gains in the copy is lost in the
// wait that follows, which the driver's own copy makes shorter. What wins depends on what else the
// program does, so this is done again and again. The ways do not take turns, since a copy
// made one way is not as fast behind one made the other way as behind its like.
type duel struct {
	n   atomic.Uint32
	won atomic.Bool // by the second
	two [2]struct {
		n    atomic.Uint32
		took [trialsEach]atomic.Int64 // nanoseconds
	}
}

// next tells how the next copy is made, and in which of two ways that is timed in a
// duel; kernel tells whether a kernel may make it.
func (t *trial) next(kernel func() bool) (how way, second bool, timed *duel) {
	second, now := t.pinned.next()
	if second {
		how = byPinned
	}
	if now {
		return how, second, &t.pinned
	}
	if t.kernel.n.Load() == 0 && t.pinned.n.Load() < oftenCopied || !kernel() {
		return how, false, nil
	}
	if second, now = t.kernel.next(); second {
		how = byKernel
	}
	if now {
		return how, second, &t.kernel
	}
	return how, second, nil
}

// lost reports that the next copy is the driver's, without a further look at it.
func (t *trial) lost(kernels bool) bool {
	if !t.pinned.lost() || kernels && !t.kernel.lost() {
		return false
	}
	t.pinned.n.Add(1)
	t.kernel.n.Add(1)
	return true
}

func (d *duel) next() (second, timed bool) {
	switch n := (d.n.Add(1) - 1) % retrial; {
	case n < trialsAll:
		if n == 0 {
			d.two[0].n.Store(0)
			d.two[1].n.Store(0)
		}
		return n >= trialsEach, true
	case n == trialsAll:
		first, second := d.median(0), d.median(1)
		d.won.Store(second < first-max(first/8, worthIt))
	}
	return d.won.Load(), false
}

func (d *duel) lost() bool { return d.n.Load()%retrial > trialsAll && !d.won.Load() }

// took notes how long a copy of the duel took.
func (d *duel) took(second bool, ns int64) {
	of := &d.two[0]
	if second {
		of = &d.two[1]
	}
	if n := of.n.Add(1); n <= trialsEach {
		of.took[n-1].Store(ns)
	}
}

// median is how long the copies of one way took; those that failed took no time, and
// lose.
func (d *duel) median(which int) int64 {
	of := &d.two[which]
	var room [trialsEach]int64
	ns := room[:0]
	for i := unsettled; i < min(int(of.n.Load()), trialsEach); i++ {
		ns = append(ns, of.took[i].Load())
	}
	if len(ns) == 0 {
		return math.MaxInt64
	}
	slices.Sort(ns)
	return ns[len(ns)/2]
}

// trialOf is which trial is of copies of so many bytes.
func trialOf(bytes uint64) int {
	size := 0
	for bytes>>(leastStagedLog+1+size) != 0 {
		size++
	}
	return min(size, stagedBits-1)
}
