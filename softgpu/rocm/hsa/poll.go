package hsa

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// poller waits for stores of the host to doorbells and signals, which are not announced. One goroutine
// polls for all sleepers, less often the longer nothing happens. If all sleepers are queues with
// watched doorbells (doorbell_unsafe.go), the goroutine sleeps until one rings, after its first rounds.
type poller struct {
	mu      sync.Mutex
	parked  []*sleeper
	running bool
	kicks   atomic.Uint32 // futex

	// listen starts to watch doorbells, and reports whether that works; nil: it does not.
	listen func() bool
	sleep  time.Duration // once doorbells are heard; zero: sleep
}

type sleeper struct {
	ready func() bool // quick, takes no locks but the space's
	bell  func()      // nil unless only a doorbell makes it ready; does the first work after that
	wake  chan struct{}
}

const (
	looks   = 100 // that a waiter has by itself before it sleeps
	patient = 64  // rounds with the same nap
)

// naps are how long the goroutine sleeps between rounds, one after the other; sleep is for
// rounds after which a doorbell is heard. It has an end, for runtimes that ring none.
var naps = []time.Duration{20 * time.Microsecond, 50 * time.Microsecond, 200 * time.Microsecond, time.Millisecond}

const sleep = 200 * time.Millisecond

// wait returns once ready says so. With bell, a doorbell tells; then bell may have been called by another goroutine.
func (p *poller) wait(ready func() bool, bell func()) {
	for range looks {
		if ready() {
			return
		}
		runtime.Gosched()
	}
	s := &sleeper{ready, bell, make(chan struct{})}
	p.mu.Lock()
	if ready() { // the goroutine may have looked last before s was there, and listen now
		p.mu.Unlock()
		return
	}
	p.parked = append(p.parked, s)
	start := !p.running
	p.running = true
	p.mu.Unlock()
	switch {
	case start:
		go p.run()
	case bell == nil:
		p.kick() // the goroutine may listen to doorbells alone
	}
	<-s.wake
}

// rung wakes who is ready, and makes the goroutine look often for a while. The first sleeper's work begins here, before any
// other thread is woken: threads that wake cost more than a short kernel, and may take the core from the host's.
func (p *poller) rung() {
	p.mu.Lock()
	var first *sleeper
	for n, s := range p.parked {
		if s.bell != nil && s.ready() {
			first = s
			p.parked = slices.Delete(p.parked, n, n+1)
			break
		}
	}
	p.wakeReady()
	p.mu.Unlock()
	if first != nil {
		first.bell()
		close(first.wake)
	}
	p.kick()
}

// kick makes the goroutine look now, and often for a while.
func (p *poller) kick() {
	p.kicks.Add(1)
	futexWake(&p.kicks)
}

func (p *poller) run() {
	quiet, seen := 0, p.kicks.Load()
	for {
		woken, left, bells := p.look()
		if !left {
			return
		}
		if kicks := p.kicks.Load(); woken || kicks != seen {
			quiet, seen = 0, kicks
		}
		nap := naps[min(quiet/patient, len(naps)-1)]
		if bells && quiet >= patient && p.listen != nil && p.listen() {
			if woken, left, bells = p.look(); !left {
				return
			}
			if bells && !woken {
				nap = cmp.Or(p.sleep, sleep)
			}
		}
		if woken { // goroutines that are ready now would wait for a thread while this one sleeps in the system
			runtime.Gosched()
		}
		futexWait(&p.kicks, seen, int64(nap))
		quiet++
	}
}

// look wakes the sleepers that are ready. left is false if none remains; bells reports whether all
// that remain wait for doorbells.
func (p *poller) look() (woken, left, bells bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	woken, bells = p.wakeReady()
	p.running = len(p.parked) > 0
	return woken, p.running, bells
}

// wakeReady wakes who is ready, and reports whether all others wait for doorbells. The caller has locked mu.
func (p *poller) wakeReady() (woken, bells bool) {
	rest := p.parked[:0]
	bells = true
	for _, s := range p.parked {
		if s.ready() {
			close(s.wake)
			woken = true
		} else {
			rest = append(rest, s)
			bells = bells && s.bell != nil
		}
	}
	clear(p.parked[len(rest):])
	p.parked = rest
	return woken, bells
}
