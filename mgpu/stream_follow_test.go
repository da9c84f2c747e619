package mgpu

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// ordering is a driver that notes launches, event records and waits, with numbered streams and events.
type ordering struct {
	capturing
	did    []string
	events map[driver.Event]int
	failed error // of records
}

func (d *ordering) number(e driver.Event) int {
	if d.events[e] == 0 {
		d.events[e] = len(d.events) + 1
	}
	return d.events[e]
}

func (d *ordering) note(format string, args ...any) error {
	d.did = append(d.did, fmt.Sprintf(format, args...))
	return nil
}

func (d *ordering) LaunchKernel(_ driver.Function, l driver.Launch) error {
	return d.note("launch %#x", l.Stream)
}

func (d *ordering) EventRecord(e driver.Event, s driver.Stream) error {
	if d.failed != nil {
		return d.failed
	}
	return d.note("record %d on %#x", d.number(e), s)
}

func (d *ordering) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return d.note("%#x waits for %d", s, d.number(e))
}

func (d *ordering) EventSynchronize(e driver.Event) error {
	return d.note("the host waits for %d", d.number(e))
}

func (d *ordering) DeviceSynchronize() error { return d.note("the host waits for the device") }

func (d *ordering) taken() (did []string) { did, d.did = d.did, nil; return did }

// freeing makes a host with streams and a function that launches on the first stream and then frees memory.
func freeing(streams int) (h *host, d *ordering, s []uintptr, free func()) {
	d = &ordering{capturing: capturing{Driver: null.Open(null.Options{}), busy: true}, events: map[driver.Event]int{}}
	h = over(d, Config{})
	for range streams {
		s = append(s, h.StreamCreate())
		h.StreamSynchronize(s[len(s)-1])
	}
	var blocks []uintptr
	for range 3 {
		blocks = append(blocks, h.MemAlloc(512, 0, false))
	}
	return h, d, s, func() {
		launchOn(h, s[0])
		d.taken()
		h.MemFree(blocks[0])
		blocks = blocks[1:]
	}
}

func name(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func TestWhatComesAfterAFreeFollowsWhatWasPendingOnOtherStreams(t *testing.T) {
	h, d, s, free := freeing(3)
	free()
	launchOn(h, s[1])
	require.Equal(t, []string{name("record 1 on %#x", s[0]), name("%#x waits for 1", s[1]), name("launch %#x", s[1])}, d.taken())
	launchOn(h, s[1])
	require.Equal(t, []string{name("launch %#x", s[1])}, d.taken(), "it follows already")
	h.Memset32(0x1000, 1, 1, s[2])
	require.Equal(t, []string{name("%#x waits for 1", s[2])}, d.taken(), "for the same event")
	h.requireSilence(t)
}

// The driver's free blocks only the calling thread.
func TestOnlyTheThreadThatFreesFollows(t *testing.T) {
	h, d, s, free := freeing(2)
	path := &fastPath{}
	h.core.Load().path = path
	free()
	own := path.freed
	require.EqualValues(t, 1, own)
	path.freed = 0 // another thread
	launchOn(h, s[1])
	require.Equal(t, []string{name("launch %#x", s[1])}, d.taken())
	path.freed = own
	launchOn(h, s[1])
	require.Equal(t, []string{name("record 1 on %#x", s[0]), name("%#x waits for 1", s[1]), name("launch %#x", s[1])}, d.taken())
	path.freed = 0
	launchOn(h, s[1])
	require.Equal(t, []string{name("launch %#x", s[1])}, d.taken())
	h.requireSilence(t)
}

// Kernels of two streams may wait for each other, so a wait must not cover more than the free did.
func TestNothingWaitsForMoreThanTheFreeLeftPending(t *testing.T) {
	h, d, s, free := freeing(2)
	free()
	launchOn(h, s[0])
	require.Equal(t, []string{name("record 1 on %#x", s[0]), name("launch %#x", s[0])}, d.taken())
	launchOn(h, s[0])
	launchOn(h, s[1])
	require.Equal(t, []string{name("launch %#x", s[0]), name("%#x waits for 1", s[1]), name("launch %#x", s[1])}, d.taken())
	free()
	launchOn(h, s[1])
	require.Equal(t, []string{name("record 2 on %#x", s[1]), name("record 3 on %#x", s[0]), name("%#x waits for 3", s[1]), name("launch %#x", s[1])}, d.taken())
	launchOn(h, s[0])
	require.Equal(t, []string{name("%#x waits for 2", s[0]), name("launch %#x", s[0])}, d.taken())
	h.requireSilence(t)
}

func TestOneStreamAloneNeedsNoEvents(t *testing.T) {
	h, d, s, free := freeing(1)
	for range 3 {
		free()
		launchOn(h, s[0])
		require.Equal(t, []string{name("launch %#x", s[0])}, d.taken())
	}
	later := h.StreamCreate()
	launchOn(h, later)
	require.Equal(t, []string{name("record 1 on %#x", s[0]), name("%#x waits for 1", later), name("launch %#x", later)}, d.taken(), "and one that comes later follows")
	h.requireSilence(t)
}

func TestAWaitLeavesNothingToFollow(t *testing.T) {
	h, d, s, free := freeing(2)
	free()
	h.StreamSynchronize(s[0])
	launchOn(h, s[0])
	launchOn(h, s[1])
	require.Equal(t, []string{name("launch %#x", s[0]), name("launch %#x", s[1])}, d.taken())
	h.requireSilence(t)
}

// The stream was created and not used, or the program has waited for it through the driver's own library.
func TestAStreamThatTurnsOutIdleGetsNoEvent(t *testing.T) {
	h, d, s, free := freeing(2)
	free()
	d.busy = false
	launchOn(h, s[1])
	launchOn(h, s[0])
	require.Equal(t, []string{name("launch %#x", s[1]), name("launch %#x", s[0])}, d.taken())
	h.requireSilence(t)
}

func TestTheDefaultStreamAndForeignOnesFollowToo(t *testing.T) {
	h, d, s, free := freeing(1)
	free()
	launchOn(h, 0)
	require.Equal(t, []string{name("record 1 on %#x", s[0]), "0x0 waits for 1", "launch 0x0"}, d.taken())
	launchOn(h, 0xf0e1)
	require.Equal(t, []string{"the host waits for 1", "launch 0xf0e1"}, d.taken(), "also what the program submits there by itself")
	h.requireSilence(t)
}

func TestACapturedStreamFollowsNothing(t *testing.T) {
	h, d, s, free := freeing(2)
	free()
	d.on = true
	launchOn(h, s[1])
	require.Equal(t, []string{name("launch %#x", s[1])}, d.taken())
	d.on = false
	launchOn(h, s[1])
	require.Equal(t, []string{name("record 1 on %#x", s[0]), name("%#x waits for 1", s[1]), name("launch %#x", s[1])}, d.taken())
	require.Zero(t, d.spoiled)
	h.requireSilence(t)
}

func TestWhereNoEventIsRecordedTheHostWaits(t *testing.T) {
	h, d, s, free := freeing(2)
	free()
	d.failed = &driver.Error{Call: "hipEventRecord", Code: driver.OutOfMemory}
	launchOn(h, s[1])
	require.Equal(t, []string{"the host waits for the device", name("launch %#x", s[1])}, d.taken())
	launchOn(h, s[1])
	require.Equal(t, []string{name("launch %#x", s[1])}, d.taken())
	h.requireSilence(t)
}

func TestWhatComesAfterARegionFollowsItsFrees(t *testing.T) {
	h, d, s, from := scarceOf(9, false)
	other := h.StreamCreate()
	h.StreamSynchronize(other)
	for range 3 { // the last is a replay
		id := h.GraphBegin(1, 0).Recording
		p, over := h.RecordAlloc(id, 512, from)
		require.False(t, over)
		require.True(t, h.RecordLaunch(id, launchOf(s, 0)))
		require.True(t, h.RecordFree(id, p))
		launched, _ := h.GraphEnd(id)
		require.True(t, launched)
		before := h.core.Load().pool.Frees()
		require.NotZero(t, before)
		launchOn(h, other)
		require.True(t, h.core.Load().pool.Find(other).Follows(before))
		require.Len(t, h.core.Load().followEvents.of, 1, "by an event recorded after the graph")
		h.StreamSynchronize(other)
	}
	require.Contains(t, d.did, "graph")
	h.GraphDestroy(1)
	h.requireSilence(t)
}

// orderingByDefault is a driver that orders its streams with the default stream.
type orderingByDefault struct{ *ordering }

func (orderingByDefault) OrdersDefaultStream() bool { return true }

// An event on the default stream would come after later work of all other streams.
func TestNoEventIsForWhatTheDriverOrdersWithTheDefaultStream(t *testing.T) {
	d := &ordering{capturing: capturing{Driver: null.Open(null.Options{}), busy: true}, events: map[driver.Event]int{}}
	h := over(orderingByDefault{d}, Config{})
	s, p, q := h.StreamCreate(), h.MemAlloc(512, 0, false), h.MemAlloc(512, 0, false)
	h.StreamSynchronize(s)
	launchOn(h, 0)
	h.MemFree(p)
	d.taken()
	launchOn(h, s)
	require.Equal(t, []string{name("launch %#x", s)}, d.taken())
	h.MemFree(q)
	launchOn(h, 0)
	require.NotContains(t, d.did, name("0x0 waits for 1"))
	require.Contains(t, d.taken(), "launch 0x0")
	h.requireSilence(t)
}
