package emu

import (
	"math/rand/v2"
	"sync"
	"time"
)

// disorder makes one run start workgroups in another order than that of their numbers, lets
// waves take short turns, and puts pauses where a chip may need time: whoever relies on what
// usually happens finds out. Everything that a chip promises is kept: a workgroup starts
// before any whose number is larger by as much as the chip holds at once.
type disorder struct {
	groups, window uint64 // window: workgroups that change places
	order          order
	factor, first  uint64 // of a random order

	mu     sync.Mutex
	random *rand.Rand
}

type order uint64

const (
	ascending order = iota
	descending
	shuffled
	orders
)

const (
	longestTurn    = 64 // instructions of a wave
	pausesInARun   = 4  // between workgroups, on average
	shortPause     = 200 * time.Microsecond
	longPause      = 5 * time.Millisecond
	oneInSoIsLong  = 32
	oneInSoIsShort = 2
)

// newDisorder chooses for a run of so many workgroups, of which the chip holds resident.
func newDisorder(seed, run, groups uint64, resident int) *disorder {
	o := &disorder{groups: groups, window: min(groups, uint64(max(resident, 1))), random: rand.New(rand.NewPCG(seed, run))}
	o.order, o.first = order(o.random.Uint64N(uint64(orders))), o.random.Uint64()
	last := groups % o.window // the last window may be a smaller one
	for o.factor = o.random.Uint64N(o.window) + 1; commonDivisor(o.factor, o.window) != 1 || last > 0 && commonDivisor(o.factor, last) != 1; {
		o.factor++
	}
	return o
}

func commonDivisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// number is which workgroup starts as the n-th. Nil means none but n.
func (o *disorder) number(n uint64) uint64 {
	if o == nil {
		return n
	}
	start := n / o.window * o.window
	at, size := n-start, min(o.window, o.groups-start)
	switch o.order {
	case descending:
		at = size - 1 - at
	case shuffled:
		at = (at*(o.factor%size) + o.first%size) % size
	}
	return start + at
}

// turn is how many instructions a wave may execute in a row, where it usually is usual.
func (o *disorder) turn(usual int) int {
	if o == nil {
		return usual
	}
	return 1 + o.below(longestTurn)
}

// rotation is with which of so many waves a workgroup begins.
func (o *disorder) rotation(waves int) int {
	if o == nil {
		return 0
	}
	return o.below(waves)
}

// between is a pause between the starts of two workgroups, now and then.
func (o *disorder) between() {
	if o != nil && uint64(o.below(int(min(o.groups, 1<<30)))) < pausesInARun {
		o.pause()
	}
}

func (o *disorder) below(n int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.random.IntN(n)
}

// pause is a pause, or none.
func (o *disorder) pause() {
	if o == nil {
		return
	}
	longest := time.Duration(0)
	switch {
	case o.below(oneInSoIsLong) == 0:
		longest = longPause
	case o.below(oneInSoIsShort) == 0:
		longest = shortPause
	}
	if longest > 0 {
		time.Sleep(time.Duration(o.below(int(longest))))
	}
}

// Disturb makes m run workgroups, waves and the ends of grids in orders that seed chooses,
// with pauses. Which workgroups then run at the same time is still up to the machine. It is
// called before the first run.
func (m *Machine) Disturb(seed uint64) {
	m.seed = seed
	m.pauses = newDisorder(seed, 0, 1, 1)
}

// Pause is for what a caller does about runs: it takes some time where m is disturbed.
func (m *Machine) Pause() { m.pauses.pause() }
