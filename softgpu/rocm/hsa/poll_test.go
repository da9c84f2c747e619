package hsa

import (
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
		}, true)
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
	p.wait(after(looks), true)
	p.mu.Lock() // the poller may look once more after it began to listen
	defer p.mu.Unlock()
	require.Len(t, p.parked, 1)
}

func TestASleeperThatNoDoorbellWakesEndsTheListening(t *testing.T) {
	p := listening(t)
	p.wait(after(looks+3), false)
}
