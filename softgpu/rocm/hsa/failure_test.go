package hsa

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// reported waits for the line of a failure.
func (h *host) reported() string {
	h.Helper()
	select {
	case line := <-h.lines.written:
		return line
	case <-time.After(patience):
		require.Fail(h, "nothing was reported")
		return ""
	}
}

func TestFailuresReachTheInactiveSignal(t *testing.T) {
	for _, c := range []struct {
		name, says string
		code       int64
		enqueue    func(q *ring)
	}{
		{"trap", "s_trap 2", trapped, func(q *ring) { q.launch(q.object(trapKernel), 0, 64, 64, 0) }},
		{"illegal instruction", "illegal instruction", illegalInstruction, func(q *ring) { q.launch(q.object(illegalKernel), 0, 64, 64, 0) }},
		{"empty grid", "empty along axis 0", badDimensions, func(q *ring) { q.launch(q.object(counting), 0, 0, 64, 0) }},
		{"axes", "a grid of 4 axes", badDimensions, func(q *ring) { q.release(q.reserve(), dispatchPacket|4<<16) }},
		{"empty workgroup", "empty along axis 0", badDimensions, func(q *ring) { q.launch(q.object(counting), 0, 64, 0, 0) }},
		{"large workgroup", "workgroups of more than 1024 work-items", groupTooLarge, func(q *ring) { q.launch(q.object(counting), 0, 2048, 2048, 0) }},
		{"no kernel", "kernel object 0x0 is not memory", badCode, func(q *ring) { q.launch(0, 0, 64, 64, 0) }},
		{"type", "no packet has the type 77", badPacket, func(q *ring) { q.barrier(77, 0) }},
		{"agent dispatch", "no packet has the type 4", badPacket, func(q *ring) { q.barrier(4, 0) }},
		{"signal", "completion signal 0x12345678 is not memory", badPacket, func(q *ring) { q.barrier(barrierAndPacket, 0x12345678) }},
		{"dependency", "signal 0xdeadbeef of a barrier", badPacket, func(q *ring) { q.barrier(barrierAndPacket, 0, 0xdeadbeef) }},
		{"vendor format", "no vendor packet has the format 9", badVendorPacket, func(q *ring) { q.barrier(vendorPacket|9<<16, 0) }},
		{"no buffer", "jumps to no buffer", badVendorPacket, func(q *ring) { q.barrier(vendorPacket|pm4Format<<16, 0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHost(t, Options{})
			q := h.queueOn(firstGPU, 64)
			c.enqueue(q)
			require.Contains(t, h.reported(), c.says)
			h.value(q.inactive, c.code)
			require.Zero(t, load64(q.amd+queueRead), "the packet stays")
		})
	}
}

func TestAKernelThatNeverEndsIsEnded(t *testing.T) {
	aborts := make(chan bool, 1)
	h := newHost(t, Options{Timeout: 50 * time.Millisecond, Abort: func() { aborts <- true }})
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object([]uint32{0xbf82ffff}), 0, 64, 64, 0) // s_branch to itself
	require.Regexp(t, "^mgpu: queue 1 of node 1: kernel .* did not end within 50ms: of 1 workgroups 0 were over, 1 ran and 0 had not begun\n"+
		"  workgroup \\(0,0,0\\) wave 0 at .*: `s_branch 65535`$", h.reported())
	h.value(q.inactive, trapped)
	require.True(t, <-aborts)
}

func TestMemoryFaultsSetTheirEvent(t *testing.T) {
	faulted := make(chan uint32, 1)
	h := newHost(t, Options{Faulted: func(node uint32) { faulted <- node }})
	event := h.NewEvent(MemoryEvent, true)
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(counting), h.kernargs(0x123456789000), 64, 64, 0)
	faults, end := h.Await([]uint32{event}, true, forever, nil)
	require.Equal(t, Happened, end)
	require.Equal(t, []MemoryFault{{GPU: firstGPU, Address: 0x123456789000}}, faults)
	require.EqualValues(t, firstGPU, <-faulted)
	require.Contains(t, h.reported(), "address 0x123456789000")
	require.Zero(t, load64(q.inactive+signalValue))
}

func TestMemoryFaultsNobodyWaitsForReachTheInactiveSignal(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(counting), h.kernargs(0x123456789000), 64, 64, 0)
	h.value(q.inactive, memoryViolation)
}

func TestFailedQueueLeavesOthersAlone(t *testing.T) {
	h := newHost(t, Options{})
	bad, good := h.queueOn(firstGPU, 64), h.queueOn(firstGPU, 64)
	bad.launch(h.object(trapKernel), 0, 64, 64, 0)
	h.value(bad.inactive, trapped)
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	good.launch(h.object(counting), h.kernargs(counter), 64, 64, done)
	h.value(done, 0)
}

// TestGarbageInAQueueHarmsNobody releases packets of random bytes by hand: each queue goes on
// or says why it does not, and others execute what they are given.
func TestGarbageInAQueueHarmsNobody(t *testing.T) {
	h := newHost(t, Options{})
	good := h.queueOn(firstGPU, 64)
	counter := h.alloc(firstGPU, 8)
	object, args := h.object(counting), h.kernargs(counter)
	kinds := []uint32{vendorPacket, dispatchPacket, 4, barrierOrPacket, 77}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 100 {
		q := h.queueOn(firstGPU, 64)
		at := q.reserve()
		for i := range uint64(packetSize / 8) {
			store64(at+8*i, r.Uint64())
		}
		if n%2 == 0 { // as far as its kernel's object
			store64(at+objectAt, object+uint64(r.IntN(512)))
			store64(at+completionAt, 0)
		}
		q.release(at, kinds[n%len(kinds)]|r.Uint32()<<16)
		require.Contains(t, h.reported(), "mgpu: queue ")
		done := h.signal(1)
		good.launch(object, args, 1, 64, done)
		h.value(done, 0)
	}
	require.Equal(t, uint32(100), load32(counter))
}
