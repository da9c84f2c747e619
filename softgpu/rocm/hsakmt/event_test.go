package hsakmt

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// event makes an event of a kind.
func (h *host) event(kind uint32, manual bool) uint64 {
	h.Helper()
	b := h.alloc(hostNode, page)
	store32(b, kind)
	require.Equal(h, Success, h.CreateEvent(b, manual, false, b+64))
	return load64(b + 64)
}

func TestAnEventWakesWhoWaits(t *testing.T) {
	h := newHost(t, Options{})
	e := h.event(signalEvent, false)
	require.Equal(t, WaitTimeout, h.WaitOnEvent(e, 0))
	require.Equal(t, WaitTimeout, h.WaitOnEvent(e, 5))
	woken := make(chan Status)
	go func() { woken <- h.WaitOnEvent(e, forever) }()
	require.Equal(t, Success, h.SetEvent(e))
	require.Equal(t, Success, <-woken)
	require.Equal(t, WaitTimeout, h.WaitOnEvent(e, 0), "the wait has reset it")
}

func TestManualEventsStaySet(t *testing.T) {
	h := newHost(t, Options{})
	e := h.event(signalEvent, true)
	require.Equal(t, WaitTimeout, h.QueryEventState(e))
	h.SetEvent(e)
	require.Equal(t, Success, h.WaitOnEvent(e, forever))
	require.Equal(t, Success, h.QueryEventState(e))
	h.ResetEvent(e)
	require.Equal(t, WaitTimeout, h.WaitOnEvent(e, 0))
}

func TestOneSetWakesAllWhoWaitForAnAutomaticEvent(t *testing.T) {
	h := newHost(t, Options{})
	e := h.event(signalEvent, false)
	const threads = 4
	results := make(chan Status, threads)
	for range threads {
		go func() { results <- h.WaitOnEvent(e, uint32(patience/time.Millisecond)) }()
	}
	waiting := func() int {
		h.events.mu.Lock()
		defer h.events.mu.Unlock()
		return len(h.events.at(e).waiters)
	}
	require.Eventually(t, func() bool { return waiting() == threads }, patience, time.Millisecond)
	require.Equal(t, Success, h.SetEvent(e))
	for range threads {
		require.Equal(t, Success, <-results)
	}
	require.Equal(t, WaitTimeout, h.WaitOnEvent(e, 0), "it has reset itself")
}

func TestWaitsForAllAndForAny(t *testing.T) {
	h := newHost(t, Options{})
	a, b := h.event(signalEvent, false), h.event(signalEvent, false)
	array := h.alloc(hostNode, page)
	store64(array, a)
	store64(array+8, b)
	h.SetEvent(b)
	require.Equal(t, WaitTimeout, h.WaitOnMultipleEvents(array, 2, true, 5))
	require.Equal(t, Success, h.WaitOnMultipleEvents(array, 2, false, forever))
	require.Equal(t, WaitTimeout, h.WaitOnMultipleEvents(array, 2, false, 0))
	h.SetEvent(a)
	h.SetEvent(b)
	require.Equal(t, Success, h.WaitOnMultipleEvents(array, 2, true, forever))
}

func TestAgesTellOfWhatHappenedBefore(t *testing.T) {
	h := newHost(t, Options{})
	e := h.event(signalEvent, false)
	age := h.alloc(hostNode, page)
	store64(age, 1)
	require.Equal(t, WaitTimeout, h.WaitOnEventExt(e, 0, age))
	h.SetEvent(e)
	require.Equal(t, Success, h.WaitOnEvent(e, 0))
	require.Equal(t, Success, h.WaitOnEventExt(e, forever, age), "set since age 1, though reset")
	require.Equal(t, uint64(2), load64(age))
	require.Equal(t, WaitTimeout, h.WaitOnEventExt(e, 0, age))
}

func TestEventsThatDoNotExistAreRefused(t *testing.T) {
	h := newHost(t, Options{})
	e := h.event(signalEvent, false)
	require.Equal(t, Success, h.DestroyEvent(e))
	for _, bad := range []uint64{0, e, e + 8, 1 << 40} {
		require.Equal(t, InvalidHandle, h.DestroyEvent(bad))
		require.Equal(t, InvalidHandle, h.SetEvent(bad))
		require.Equal(t, InvalidHandle, h.WaitOnEvent(bad, 0))
	}
	require.Equal(t, e, h.event(signalEvent, false), "ids are used again")
}

func TestEventsRunOut(t *testing.T) {
	h := newHost(t, Options{})
	for range mostEvents - 1 {
		h.event(signalEvent, false)
	}
	b := h.alloc(hostNode, page)
	require.Equal(t, OutOfResources, h.CreateEvent(b, false, false, b+64))
}

func TestCompletionSetsTheSignalsEvent(t *testing.T) {
	h := newHost(t, Options{})
	e, done := h.event(signalEvent, false), h.signal(1)
	r := recordAt(e, 0, hsaEvent, ROCm5)
	store64(done+signalMailbox, r.get("EventData.HWData2"))
	store32(done+signalEventID, uint32(r.get("EventId")))
	q := h.queueOn(firstGPU, 64)
	q.barrier(barrierAndPacket, done)
	require.Equal(t, Success, h.WaitOnEvent(e, forever))
	require.Zero(t, load64(done+signalValue))
}

func TestKernelsSetEventsThroughTheirMailboxes(t *testing.T) {
	h := newHost(t, Options{})
	e := h.event(signalEvent, false)
	mailbox := recordAt(e, 0, hsaEvent, ROCm5).get("EventData.HWData2")
	h.queueOn(firstGPU, 64).launch(h.object(interrupt), h.kernargs(mailbox), 1, 1, 0)
	require.Equal(t, Success, h.WaitOnEvent(e, forever))
}
