package hsa

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// listening is a poller that listens to doorbells, for one sleeper that no doorbell wakes. It looks again after an hour.
func listening(t *testing.T) *poller {
	heard := make(chan struct{})
	p := &poller{sleep: time.Hour}
	p.listen = func() bool {
		p.listen = func() bool { return true }
		close(heard)
		return true
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		p.wait(func() bool {
			select {
			case <-over:
				return true
			default:
				return false
			}
		}, func() {})
	}()
	<-heard
	t.Cleanup(func() {
		close(over)
		p.kick()
		<-ended
	})
	return p
}

// after is ready from the question after so many on.
func after(questions int) func() bool {
	asked := 0
	return func() bool {
		asked++
		return asked > questions
	}
}

func TestADoorbellThatRingsBeforeItsQueueSleepsIsNotMissed(t *testing.T) {
	p := listening(t)
	p.wait(after(looks), func() {})
	p.mu.Lock() // the poller may look once more after it began to listen
	defer p.mu.Unlock()
	require.Len(t, p.parked, 1)
}

// The first queue that a doorbell is for works before any thread is woken; the others and the poller are woken then.
func TestADoorbellsWorkBeginsBeforeThreadsAreWoken(t *testing.T) {
	p := listening(t)
	var rung atomic.Bool
	began := make(chan uint32, 2)
	var asleep, woken sync.WaitGroup
	for range 2 {
		asleep.Add(1)
		woken.Add(1)
		go func() {
			defer woken.Done()
			looked := 0
			p.wait(func() bool {
				if looked++; looked == looks+1 {
					asleep.Done() // the poller's mutex is held until the sleeper is among the parked
				}
				return rung.Load()
			}, func() { began <- p.kicks.Load() })
		}()
	}
	asleep.Wait()
	before := p.kicks.Load()
	p.mu.Lock()
	rung.Store(true)
	p.mu.Unlock()
	p.rung()
	woken.Wait()
	require.Len(t, began, 1)
	require.Equal(t, before, <-began)
	require.Greater(t, p.kicks.Load(), before)
}

func TestASleeperThatNoDoorbellWakesEndsTheListening(t *testing.T) {
	p := listening(t)
	p.wait(after(looks+3), nil)
}
