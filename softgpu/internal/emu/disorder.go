package emu

import (
	"math/rand/v2"
	"sync"
	"time"
)

// disorder makes one run unusual: it starts workgroups in another order than that of their numbers, shortens the turns
// of waves, and inserts pauses where a chip may need time. So programs that rely on the usual order fail. It keeps what
// a chip guarantees: a workgroup starts before any workgroup whose number is larger by at least as much as the chip
// holds at once.
type disorder struct {
	groups, window uint64 // window: number of workgroups that are reordered together
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

// newDisorder chooses an order for a run of groups workgroups on a chip that holds resident workgroups.
func newDisorder(seed, run, groups uint64, resident int) *disorder {
	o := &disorder{groups: groups, window: min(groups, uint64(max(resident, 1))), random: rand.New(rand.NewPCG(seed, run))}
	o.order, o.first = order(o.random.Uint64N(uint64(orders))), o.random.Uint64()
	last := groups % o.window // the last window may be smaller
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

// number returns the workgroup that starts as the n-th. A nil disorder returns n.
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

// turn returns how many instructions a wave may execute in a row; usual is the normal number.
func (o *disorder) turn(usual int) int {
	if o == nil {
		return usual
	}
	return 1 + o.below(longestTurn)
}

// rotation returns the wave with which a workgroup of that many waves begins.
func (o *disorder) rotation(waves int) int {
	if o == nil {
		return 0
	}
	return o.below(waves)
}

// between sometimes pauses between the starts of two workgroups.
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

// pause sometimes pauses.
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

// Disturb makes m run workgroups, waves and the ends of grids in orders that depend on seed, with pauses. Which
// workgroups run at the same time still depends on the machine. It is called before the first run.
func (m *Machine) Disturb(seed uint64) {
	m.seed = seed
	m.pauses = newDisorder(seed, 0, 1, 1)
}

// Pause takes some time if m is disturbed. Callers use it for their own work around runs.
func (m *Machine) Pause() { m.pauses.pause() }
