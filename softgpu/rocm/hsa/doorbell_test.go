package hsa

import (
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hearing is a host whose poller looks once an hour while doorbells are heard, and tells each time that they are.
func hearing(t *testing.T) (h *host, heard chan bool) {
	h = watched(t)
	heard = make(chan bool, 1)
	listen := h.poller.listen
	h.poller.sleep = time.Hour
	h.poller.listen = func() bool {
		ok := listen()
		if ok {
			select {
			case heard <- true:
			default:
			}
		}
		return ok
	}
	return h, heard
}

const polled = "this system has no userfaultfd for all: doorbells are polled"

// Nothing but the doorbell wakes a queue here.
func TestDoorbellsWakeASleepingQueue(t *testing.T) {
	h, heard := hearing(t)
	q := h.queueOn(firstGPU, 64)
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	object, args := h.object(counting), h.kernargs(counter)
	for n := range uint32(3) {
		<-heard
		store64(done+signalValue, 1)
		q.launch(object, args, 64, 64, done)
		h.value(done, 0)
		require.Equal(t, 64*(n+1), load32(counter))
	}
}

// The goroutine that hears doorbells executes a kernel that waits for another queue's.
func TestDoorbellsAreHeardWhileAKernelRuns(t *testing.T) {
	h, heard := hearing(t)
	waits, ends := h.queueOn(firstGPU, 64), h.queueOn(firstGPU, 64)
	flag, waited, ended := h.alloc(firstGPU, 8), h.signal(1), h.signal(1)
	object, spinning, args := h.object(counting), h.object(spin), h.kernargs(flag)
	for _, o := range []uint64{object, spinning} { // decodes them, and ends the second
		ends.launch(o, args, 64, 64, ended)
		h.value(ended, 0)
		store64(ended+signalValue, 1)
	}
	store32(flag, 0)
	<-heard
	require.Eventually(t, h.bells.isProtected, patience, time.Millisecond)
	waits.launch(spinning, args, 64, 64, waited)
	require.Eventually(t, func() bool { return h.running() }, patience, time.Millisecond)
	ends.launch(object, args, 64, 64, ended)
	h.value(ended, 0)
	h.value(waited, 0)
}

// The goroutine that hears doorbells must not wait at a barrier: doorbells may be protected then.
func TestDoorbellsAreHeardWhileABarrierWaits(t *testing.T) {
	h, heard := hearing(t)
	waits, ends := h.queueOn(firstGPU, 64), h.queueOn(firstGPU, 64)
	gate, waited, ended := h.signal(1), h.signal(1), h.signal(1)
	<-heard
	require.Eventually(t, h.bells.isProtected, patience, time.Millisecond)
	waits.barrier(barrierAndPacket, waited, gate)
	require.Eventually(t, func() bool { return h.waiting() }, patience, time.Millisecond)
	require.True(t, h.bells.protect(true)) // as a poller that looked just before
	ends.barrier(barrierAndPacket, ended)  // a kernel would lift the protection
	h.value(ended, 0)
	store64(gate+signalValue, 0)
	h.value(waited, 0)
}

// waiting reports whether a packet waits for a signal.
func (h *host) waiting() bool {
	h.poller.mu.Lock()
	defer h.poller.mu.Unlock()
	return slices.ContainsFunc(h.poller.parked, func(s *sleeper) bool { return s.bell == nil })
}

// running reports whether a kernel runs.
func (h *host) running() bool {
	h.space.mu.RLock()
	defer h.space.mu.RUnlock()
	return len(h.space.unmaps.running) > 0
}

// Decoding takes long for large code, and the goroutine that hears doorbells may be the one that decodes.
func TestDecodingAKernelRousesThePoller(t *testing.T) {
	h := newHost(t, Options{})
	g, key := h.gpus[0], kernelKey{object: h.object(counting)}
	before := h.poller.kicks.Load()
	_, err := g.kernel(key, g.view())
	require.NoError(t, err)
	decoded := h.poller.kicks.Load()
	require.Greater(t, decoded, before)
	_, err = g.kernel(key, g.view())
	require.NoError(t, err)
	require.Equal(t, decoded, h.poller.kicks.Load())
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
	if !h.listen() {
		t.Skip(polled)
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

// A program may close all descriptors, and open files of its own. Reading such a file to its end over and over would keep a
// core busy.
func TestADescriptorThatTheProgramHasClosedIsLeftAlone(t *testing.T) {
	h := watched(t)
	require.True(t, h.bells.protect(true))
	own, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer own.Close()
	fd := int(h.bells.fd)
	require.NoError(t, syscall.Dup3(int(own.Fd()), fd, syscall.O_CLOEXEC))
	store64(h.bell, 1)
	require.Eventually(t, func() bool {
		h.bells.mu.Lock()
		defer h.bells.mu.Unlock()
		return !h.bells.watched
	}, patience, time.Millisecond)
	require.NoError(t, syscall.Close(fd), "it is open still")
}
