package hsa

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestKernelRunsAndLowersItsSignal(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	q.launch(h.object(counting), h.kernargs(counter), 1000, 256, done)
	h.value(done, 0)
	require.Equal(t, uint32(1000), load32(counter), "the last workgroup has 232 work-items")
	require.LessOrEqual(t, load64(done+signalStart), load64(done+signalEnd))
	require.NotZero(t, load64(done+signalStart))
}

func TestPartialWorkgroupsHaveNoMoreItemsThanTheGrid(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	const row = 4 * 128
	marks, done := h.alloc(firstGPU, 8*row), h.signal(1)
	q.launch(h.object(mark), h.kernargs(marks, row), 100*3+17, 100, done)
	h.value(done, 0)
	for group := range uint64(5) {
		for item := range uint64(128) {
			want := uint32(0)
			if group < 3 && item < 100 || group == 3 && item < 17 {
				want = 1
			}
			require.Equal(t, want, load32(marks+group*row+4*item), "work-item %d of workgroup %d", item, group)
		}
	}
}

func TestPartialWorkgroupsOfThreeAxes(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	q.launch3(h.object(counting), h.kernargs(counter), [3]uint32{13, 7, 5}, [3]uint16{8, 4, 4}, done)
	h.value(done, 0)
	require.Equal(t, uint32(13*7*5), load32(counter))
}

func TestRingIsUsedOverAndOver(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 4)
	counter, done := h.alloc(firstGPU, 8), h.signal(100)
	object, args := h.object(counting), h.kernargs(counter)
	for range 100 {
		q.launch(object, args, 64, 64, done)
	}
	h.value(done, 0)
	require.Equal(t, uint32(6400), load32(counter))
}

func TestPacketsWaitForTheirHeaders(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	counter, done := h.alloc(firstGPU, 8), h.signal(2)
	object, args := h.object(counting), h.kernargs(counter)
	first := q.reserve()
	q.launch(object, args, 64, 64, done) // rings for the second packet: the first is not there
	require.Never(t, func() bool { return load64(done+signalValue) != 2 }, 20*time.Millisecond, time.Millisecond)
	copy(bytesAt(first+4, packetSize-4), bytesAt(q.packets+packetSize+4, packetSize-4))
	q.release(first, dispatchPacket|1<<16)
	h.value(done, 0)
	require.Equal(t, uint32(128), load32(counter))
}

func TestQueuesProgressIndependently(t *testing.T) {
	h := newHost(t, Options{})
	flag := h.alloc(hostNode, 8)
	object, args := h.object(spin), h.kernargs(flag)
	var spinning []uint64
	for range 8 {
		done := h.signal(1)
		h.queueOn(firstGPU, 64).launch(object, args, 64, 64, done)
		spinning = append(spinning, done)
	}
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	h.queueOn(firstGPU, 64).launch(h.object(counting), h.kernargs(counter), 64, 64, done)
	h.value(done, 0)
	store32(flag, 1)
	for _, s := range spinning {
		h.value(s, 0)
	}
}

func TestKernelsOfOneQueueWaitForThoseOfAnother(t *testing.T) {
	h := newHost(t, Options{})
	flag, done := h.alloc(firstGPU, 8), h.signal(2)
	h.queueOn(firstGPU, 64).launch(h.object(spin), h.kernargs(flag), 64, 64, done)
	h.queueOn(firstGPU, 64).launch(h.object(counting), h.kernargs(flag), 64, 64, done)
	h.value(done, 0)
}

func TestBarrierAndWaitsForAllSignals(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	a, b, done := h.signal(1), h.signal(1), h.signal(1)
	q.barrier(barrierAndPacket, done, a, 0, b)
	store64(a+signalValue, 0)
	require.Never(t, func() bool { return load64(done+signalValue) == 0 }, 20*time.Millisecond, time.Millisecond)
	store64(b+signalValue, 0)
	h.value(done, 0)
}

func TestBarrierOrWaitsForOneSignal(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	a, b, done := h.signal(1), h.signal(1), h.signal(1)
	q.barrier(barrierOrPacket, done, a, b)
	require.Never(t, func() bool { return load64(done+signalValue) == 0 }, 20*time.Millisecond, time.Millisecond)
	store64(b+signalValue, 0)
	h.value(done, 0)
}

func TestBarriersWithoutSignalsWaitForNothing(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	done := h.signal(2)
	q.barrier(barrierAndPacket, done)
	q.barrier(barrierOrPacket, done)
	h.value(done, 0)
}

func TestBarrierValueComparesWhatTheMaskLeaves(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	for _, c := range []struct {
		condition       uint32
		holds, holdsNot int64
	}{{0, 0x105, 0x104}, {1, 4, 0x105}, {2, 0x104, 5}, {3, 5, 0x104}} {
		s, done := h.signal(c.holdsNot), h.signal(1)
		at := q.reserve()
		store64(at+valueSignalAt, s)
		store64(at+valueAt, 5)
		store64(at+valueMaskAt, 0xff)
		store32(at+valueConditionAt, c.condition)
		store64(at+completionAt, done)
		q.release(at, vendorPacket|barrierValueFormat<<16)
		require.Never(t, func() bool { return load64(done+signalValue) == 0 }, 5*time.Millisecond, time.Millisecond)
		store64(s+signalValue, uint64(c.holds))
		h.value(done, 0)
	}
}

func TestPM4FlushesAreAcknowledged(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	buffer, done := h.alloc(hostNode, page), h.signal(1)
	store32(buffer, 3<<30|5<<16|0x58<<8) // ACQUIRE_MEM, seven words
	at := q.reserve()
	store32(at+indirectAt, 3<<30|2<<16|indirectBuffer<<8)
	store32(at+indirectLow, uint32(buffer))
	store32(at+indirectHigh, uint32(buffer>>32))
	store32(at+indirectSize, 7|1<<23)
	store64(at+completionAt, done)
	q.release(at, vendorPacket|pm4Format<<16)
	h.value(done, 0)
}

func TestHaltedQueueExecutesNothing(t *testing.T) {
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	require.NoError(t, h.UpdateQueue(q.id, 0))
	done := h.signal(1)
	q.barrier(barrierAndPacket, done)
	require.Never(t, func() bool { return load64(done+signalValue) == 0 }, 20*time.Millisecond, time.Millisecond)
	require.NoError(t, h.UpdateQueue(q.id, 100))
	h.value(done, 0)
}

func TestDestroyingAQueueEndsItsKernel(t *testing.T) {
	h := newHost(t, Options{})
	flag, done := h.alloc(hostNode, 8), h.signal(1)
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(spin), h.kernargs(flag), 64, 64, done)
	require.NoError(t, h.DestroyQueue(q.id))
	require.ErrorIs(t, h.DestroyQueue(q.id), ErrQueue)
	require.Equal(t, uint64(1), load64(done+signalValue))

	q = h.queueOn(firstGPU, 64)
	q.barrier(barrierAndPacket, 0, done)
	require.NoError(t, h.DestroyQueue(q.id))
}

func TestQueuesThatDoNotExistAreRefused(t *testing.T) {
	h := newHost(t, Options{})
	r := h.alloc(hostNode, page)
	for _, o := range []QueueOptions{
		{Ring: 0, Size: page, Read: r + queueRead, Write: r}, {Ring: r, Size: 100, Read: r + queueRead, Write: r},
		{Ring: r, Size: page, Read: 8, Write: r}, {Ring: r, Size: page, Read: r + queueRead},
	} {
		o.Node = firstGPU
		_, err := h.NewQueue(o)
		require.ErrorIs(t, err, ErrRing)
	}
	require.ErrorIs(t, h.UpdateQueue(9, 100), ErrQueue)
	require.ErrorIs(t, h.SetGWS(9, 1), ErrQueue)
	require.ErrorIs(t, h.SetGWS(h.queueOn(firstGPU, 64).id, 65), ErrResources)
}
