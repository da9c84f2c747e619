package mgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// scarce is a driver with memory for a limited number of blocks. It records the order of
// launches and waits.
type scarce struct {
	*null.Driver
	room int
	did  []string
}

func (d *scarce) MemAlloc(bytes uint64) (driver.Ptr, error) {
	if d.room == 0 {
		return 0, &driver.Error{Call: "hipMalloc", Name: "hipErrorOutOfMemory", Code: driver.OutOfMemory}
	}
	d.room--
	return d.Driver.MemAlloc(bytes)
}

func (d *scarce) MemFree(p driver.Ptr) error {
	d.room++
	return d.Driver.MemFree(p)
}

func (d *scarce) LaunchKernel(driver.Function, driver.Launch) error {
	d.did = append(d.did, "launch")
	return nil
}

func (d *scarce) GraphLaunch(driver.GraphExec, driver.Stream) error {
	d.did = append(d.did, "graph")
	return nil
}

func (d *scarce) StreamSynchronize(s driver.Stream) error {
	d.did = append(d.did, "wait")
	return d.Driver.StreamSynchronize(s)
}

func (d *scarce) DeviceSynchronize() error {
	d.did = append(d.did, "device")
	return d.Driver.DeviceSynchronize()
}

func (d *scarce) WaitStream(driver.Stream) driver.Blocking { return driver.Blocking{} }

func scarceOf(room int, scoped bool) (h *host, d *scarce, s uintptr, from Origin) {
	d = &scarce{Driver: null.Open(null.Options{}), room: room}
	h = over(d, Config{})
	s = h.StreamCreate()
	h.nameKernel(0x500, 1, "kernel")
	h.kernelOf(0x500).info.Store(&launchgraph.KernelTraits{})
	if scoped {
		from.Session = h.AllocCacheBegin(h.AllocCacheCreate())
	}
	return h, d, s, from
}

// scopedOrNot runs a test with an open scope and without one.
func scopedOrNot(t *testing.T, test func(t *testing.T, scoped bool)) {
	t.Run("in a scope", func(t *testing.T) { test(t, true) })
	t.Run("without a scope", func(t *testing.T) { test(t, false) })
}

// Memory that is freed while recording is not reused. If too little memory is left, the recording ends, and the program
// has as much memory as without a region.
func TestARegionNeedsNoMoreMemoryThanThereIs(t *testing.T) {
	scopedOrNot(t, testARegionNeedsNoMoreMemoryThanThereIs)
}

func testARegionNeedsNoMoreMemoryThanThereIs(t *testing.T, scoped bool) {
	h, d, s, from := scarceOf(3, scoped)
	id := h.GraphBegin(7, 0).Recording
	over := false
	for i := range 8 {
		var p uintptr
		if !over {
			if p, over = h.RecordAlloc(id, 256, from); !over {
				require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
				require.True(t, h.RecordFree(id, p))
				continue
			}
			require.Equal(t, 3, i)
			require.Equal(t, []string{"launch", "launch", "launch"}, d.did)
		}
		p = h.Runtime.MemAlloc(256, s, false, from)
		require.NotZero(t, p)
		h.MemFree(p)
	}
	h.GraphEnd(id)
	require.Equal(t, []string{"mgpu: graph 0x7 is executed call by call: there is no memory for an allocation while the graph holds what was freed"}, h.lines())
}

// Memory that launches may use returns to the program after these launches.
func TestWhatAGraphHeldIsGivenBackIdle(t *testing.T) {
	scopedOrNot(t, testWhatAGraphHeldIsGivenBackIdle)
}

func testWhatAGraphHeldIsGivenBackIdle(t *testing.T, scoped bool) {
	for _, end := range []string{"end", "a copy"} {
		h, d, s, from := scarceOf(9, scoped)
		id := h.GraphBegin(7, 0).Recording
		p, _ := h.RecordAlloc(id, 256, from)
		require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
		require.True(t, h.RecordFree(id, p))
		h.GraphEnd(id)
		id = h.GraphBegin(7, 0).Recording
		again, _ := h.RecordAlloc(id, 256, from)
		require.Equal(t, p, again)
		if end == "a copy" {
			h.RecordEnd(id, "mgpuMemcpy")
			require.Equal(t, []string{"graph", "wait"}, d.did)
			continue
		}
		require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
		h.GraphEnd(id)
		require.Equal(t, []string{"graph", "graph", "wait"}, d.did)
		id = h.GraphBegin(7, 0).Recording
		other, _ := h.RecordAlloc(id, 256, from)
		require.NotEqual(t, p, other, "it is the program's")
		h.GraphEnd(id)
		h.requireSilence(t)
	}
}

// If the program shares memory with the device, a free waits for the device: at once for earlier work, and at the
// recording's end for recorded work.
func TestFreesThatWaitDoSoAgainAtTheEnd(t *testing.T) {
	scopedOrNot(t, testFreesThatWaitDoSoAgainAtTheEnd)
}

func testFreesThatWaitDoSoAgainAtTheEnd(t *testing.T, scoped bool) {
	h, d, s, from := scarceOf(9, scoped)
	h.MemAlloc(64, 0, true)
	for round := range 3 {
		d.did = nil
		id := h.GraphBegin(7, 0).Recording
		p, _ := h.RecordAlloc(id, 256, from)
		require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
		require.True(t, h.RecordFree(id, p))
		if round == 2 {
			h.RecordEnd(id, "mgpuMemcpy")
			require.Equal(t, []string{"device", "launch", "device"}, d.did)
			h.GraphEnd(id)
			h.lines()
			continue
		}
		h.GraphEnd(id)
		require.Equal(t, []string{"device", "graph", "device"}, d.did)
		h.requireSilence(t)
	}
	h.GraphDestroy(7)
}

func TestMemoryThatAGraphHoldsIsForgottenWithItsDevice(t *testing.T) {
	h, _, s, from := scarceOf(9, false)
	id := h.GraphBegin(7, 0).Recording
	p, _ := h.RecordAlloc(id, 256, from)
	require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
	require.True(t, h.RecordFree(id, p))
	h.GraphEnd(id)
	cache := h.core.Load().memory.cache
	require.Equal(t, alloccache.Held, cache.Find(p).State())
	h.regions.Lost(0)
	cache.Lose(0)
	require.Zero(t, cache.Usage(alloccache.Device, 0).Reserved)
	require.Nil(t, cache.Find(p))
}
