package hsa

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Nothing but the doorbell wakes a queue here: looks are an hour apart.
func TestDoorbellsWakeASleepingQueue(t *testing.T) {
	h := newHost(t, Options{})
	heard := make(chan bool, 1)
	listen := h.poller.listen
	h.poller.sleep = time.Hour
	h.poller.listen = func() bool {
		ok := listen()
		select {
		case heard <- ok:
		default:
		}
		return ok
	}
	q := h.queueOn(firstGPU, 64)
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	object, args := h.object(counting), h.kernargs(counter)
	for n := range uint32(3) {
		if ok := <-heard; !ok {
			t.Skip("this system has no userfaultfd for all: doorbells are polled")
		}
		store64(done+signalValue, 1)
		q.launch(object, args, 64, 64, done)
		h.value(done, 0)
		require.Equal(t, 64*(n+1), load32(counter))
	}
}

// A system that refuses userfaultfd: nothing tells of stores, so the poller keeps looking.
func TestDoorbellsArePolledWhereStoresAreNotHeard(t *testing.T) {
	h := newHost(t, Options{})
	asked := make(chan struct{}, 1)
	h.poller.sleep = time.Hour
	h.poller.listen = func() bool {
		select {
		case asked <- struct{}{}:
		default:
		}
		return false
	}
	q := h.queueOn(firstGPU, 64)
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	object, args := h.object(counting), h.kernargs(counter)
	<-asked
	q.launch(object, args, 64, 64, done)
	h.value(done, 0)
	require.Equal(t, uint32(64), load32(counter))
}

// watched is a host whose doorbells can be protected.
func watched(t *testing.T) *host {
	h := newHost(t, Options{})
	h.bells.watch(func() {})
	if !h.bells.protect(true) {
		t.Skip("this system has no userfaultfd for all: doorbells are polled")
	}
	h.bells.protect(false)
	return h
}

func (d *doorbells) isProtected() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.protected
}

func TestDoorbellsAreNotProtectedWhileAKernelRuns(t *testing.T) {
	h := watched(t)
	since := h.space.begin()
	require.False(t, h.listen())
	require.False(t, h.bells.isProtected())
	h.space.end(since)
	require.True(t, h.listen())
	require.True(t, h.bells.isProtected())
}

// The host may lose the descriptor, and a store must go on even then.
func TestDoorbellsThatAreNoLongerWatchedAreNotProtected(t *testing.T) {
	h := watched(t)
	require.True(t, h.bells.protect(true))
	h.bells.unwatch()
	store64(h.bell, 1)
	require.False(t, h.bells.protect(true))
}
