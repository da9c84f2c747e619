package hsa

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// await waits for one event.
func (h *host) await(id, ms uint32) Awaited {
	_, end := h.Await([]uint32{id}, true, ms, nil)
	return end
}

func TestAnEventWakesWhoWaits(t *testing.T) {
	h := newHost(t, Options{})
	e := h.NewEvent(SignalEvent, false)
	require.Equal(t, Overdue, h.await(e, 0))
	require.Equal(t, Overdue, h.await(e, 5))
	woken := make(chan Awaited)
	go func() { woken <- h.await(e, forever) }()
	require.True(t, h.RaiseEvent(e))
	require.Equal(t, Happened, <-woken)
	require.Equal(t, Overdue, h.await(e, 0), "the wait has reset it")
}

func TestManualEventsStaySet(t *testing.T) {
	h := newHost(t, Options{})
	e := h.NewEvent(SignalEvent, true)
	h.RaiseEvent(e)
	require.Equal(t, Happened, h.await(e, forever))
	require.Equal(t, Happened, h.await(e, 0))
	h.ClearEvent(e)
	require.Equal(t, Overdue, h.await(e, 0))
}

func TestOneSetWakesAllWhoWaitForAnAutomaticEvent(t *testing.T) {
	h := newHost(t, Options{})
	e := h.NewEvent(SignalEvent, false)
	const threads = 4
	results := make(chan Awaited, threads)
	for range threads {
		go func() { results <- h.await(e, uint32(patience/time.Millisecond)) }()
	}
	require.Eventually(t, func() bool { return h.Waiters(e) == threads }, patience, time.Millisecond)
	require.True(t, h.RaiseEvent(e))
	for range threads {
		require.Equal(t, Happened, <-results)
	}
	require.Equal(t, Overdue, h.await(e, 0), "it has reset itself")
}

func TestWaitsForAllAndForAny(t *testing.T) {
	h := newHost(t, Options{})
	a, b := h.NewEvent(SignalEvent, false), h.NewEvent(SignalEvent, false)
	both := func(all bool, ms uint32) Awaited {
		_, end := h.Await([]uint32{a, b}, all, ms, nil)
		return end
	}
	h.RaiseEvent(b)
	require.Equal(t, Overdue, both(true, 5))
	require.Equal(t, Happened, both(false, forever))
	require.Equal(t, Overdue, both(false, 0))
	h.RaiseEvent(a)
	h.RaiseEvent(b)
	require.Equal(t, Happened, both(true, forever))
}

func TestAgesTellOfWhatHappenedBefore(t *testing.T) {
	h := newHost(t, Options{})
	e := h.NewEvent(SignalEvent, false)
	ages := []uint64{1}
	since := func(ms uint32) Awaited {
		_, end := h.Await([]uint32{e}, true, ms, ages)
		return end
	}
	require.Equal(t, Overdue, since(0))
	h.RaiseEvent(e)
	require.Equal(t, Happened, h.await(e, 0))
	require.Equal(t, Happened, since(forever), "set since age 1, though reset")
	require.Equal(t, []uint64{2}, ages)
	require.Equal(t, Overdue, since(0))
}

func TestEventsThatDoNotExistAreRefused(t *testing.T) {
	h := newHost(t, Options{})
	e := h.NewEvent(SignalEvent, false)
	require.True(t, h.RemoveEvent(e))
	for _, bad := range []uint32{0, e, mostEvents, 1 << 30} {
		require.False(t, h.RemoveEvent(bad))
		require.False(t, h.RaiseEvent(bad))
		require.Equal(t, NoEvent, h.await(bad, 0))
	}
	require.Equal(t, e, h.NewEvent(SignalEvent, false), "ids are used again")
}

func TestEventsRunOut(t *testing.T) {
	h := newHost(t, Options{})
	for range mostEvents - 1 {
		require.NotZero(t, h.NewEvent(SignalEvent, false))
	}
	require.Zero(t, h.NewEvent(SignalEvent, false))
}

// mailboxes makes the page that kernels write to events in.
func (h *host) mailboxes() uint64 {
	at := h.alloc(hostNode, 8*mostEvents)
	h.SetMailboxes(at)
	return at
}

func TestCompletionSetsTheSignalsEvent(t *testing.T) {
	h := newHost(t, Options{})
	boxes, e, done := h.mailboxes(), h.NewEvent(SignalEvent, false), h.signal(1)
	store64(done+signalMailbox, boxes+8*uint64(e))
	store32(done+signalEventID, e)
	q := h.queueOn(firstGPU, 64)
	q.barrier(barrierAndPacket, done)
	require.Equal(t, Happened, h.await(e, forever))
	require.Zero(t, load64(done+signalValue))
}

func TestKernelsSetEventsThroughTheirMailboxes(t *testing.T) {
	h := newHost(t, Options{})
	boxes, e := h.mailboxes(), h.NewEvent(SignalEvent, false)
	h.queueOn(firstGPU, 64).launch(h.object(interrupt), h.kernargs(boxes+8*uint64(e)), 1, 1, 0)
	require.Equal(t, Happened, h.await(e, forever))
}
