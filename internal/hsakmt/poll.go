package hsakmt

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// poller waits for changes of memory that nobody tells of: the host stores to
// doorbells and signals. One goroutine looks for all that wait, the less often the
// longer nothing happens.
type poller struct {
	mu      sync.Mutex
	parked  []*sleeper
	running bool
	kicks   atomic.Uint32 // futex
}

type sleeper struct {
	ready func() bool // quick, takes no locks but the space's
	wake  chan struct{}
}

const (
	looks   = 100 // that a waiter has by itself before it sleeps
	patient = 64  // rounds with the same nap
)

// naps are how long the goroutine sleeps between rounds, one after the other.
var naps = []time.Duration{20 * time.Microsecond, 50 * time.Microsecond, 200 * time.Microsecond, time.Millisecond}

// wait returns once ready says so.
func (p *poller) wait(ready func() bool) {
	for range looks {
		if ready() {
			return
		}
		runtime.Gosched()
	}
	s := &sleeper{ready, make(chan struct{})}
	p.mu.Lock()
	p.parked = append(p.parked, s)
	start := !p.running
	p.running = true
	p.mu.Unlock()
	if start {
		go p.run()
	}
	<-s.wake
}

// kick makes the goroutine look now, and often for a while.
func (p *poller) kick() {
	p.kicks.Add(1)
	futexWake(&p.kicks)
}

func (p *poller) run() {
	quiet, seen := 0, p.kicks.Load()
	for {
		woken, left := p.look()
		if !left {
			return
		}
		if kicks := p.kicks.Load(); woken || kicks != seen {
			quiet, seen = 0, kicks
		}
		nap := naps[min(quiet/patient, len(naps)-1)]
		futexWait(&p.kicks, seen, int64(nap))
		quiet++
	}
}

// look wakes who is ready. left is false once nobody waits.
func (p *poller) look() (woken, left bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := p.parked[:0]
	for _, s := range p.parked {
		if s.ready() {
			close(s.wake)
			woken = true
		} else {
			rest = append(rest, s)
		}
	}
	clear(p.parked[len(rest):])
	p.parked = rest
	p.running = len(rest) > 0
	return woken, p.running
}
