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

// A queue that finds a packet by itself lifts the protection, and the poller has to look at the others' doorbells.
func TestAKernelThatStartsWhileDoorbellsAreHeardRousesThePoller(t *testing.T) {
	h := watched(t)
	q := h.queueOn(firstGPU, 64)
	counter, at := h.alloc(firstGPU, 8), q.reserve()
	for axis := range uint64(3) {
		bytesAt(at+blockAt+2*axis, 1)[0], bytesAt(at+gridAt+4*axis, 1)[0] = 1, 1
	}
	store64(at+objectAt, h.object(counting))
	store64(at+kernargAt, h.kernargs(counter))
	require.True(t, h.bells.protect(true))
	before := h.poller.kicks.Load()
	require.NoError(t, h.queue(q.id).dispatch(at, 0).err)
	require.EqualValues(t, 1, load32(counter))
	require.Greater(t, h.poller.kicks.Load(), before)
}

// The host may lose the descriptor, and a store must go on even then.
func TestDoorbellsThatAreNoLongerWatchedAreNotProtected(t *testing.T) {
	h := watched(t)
	require.True(t, h.bells.protect(true))
	h.bells.unwatch()
	store64(h.bell, 1)
	require.False(t, h.bells.protect(true))
}
