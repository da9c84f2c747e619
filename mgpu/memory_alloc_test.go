package mgpu

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/model/device"
)

// capturing is a driver whose program captures streams. It counts calls that would end a
// capture.
type capturing struct {
	*null.Driver
	on, busy bool
	mode     uint32
	allocs   []uint32 // the thread's capture mode at each allocation
	spoiled  int
	waits    int
	unloads  int
}

func (d *capturing) Capturing(driver.Stream) (bool, error) { return d.on, nil }

func (*capturing) EndCapture(driver.Stream) bool { return false }

func (d *capturing) CaptureMode(mode uint32) (before uint32, err error) {
	before, d.mode = d.mode, mode
	return before, nil
}

// pageLocked is memory that the program has page-locked without the library.
const pageLocked = 0x30000

func (d *capturing) PlaceOf(p driver.Ptr) (driver.Place, error) {
	if p == pageLocked {
		return driver.Shared, nil
	}
	return driver.Pageable, nil
}

func (d *capturing) spoil() {
	if d.on {
		d.spoiled++
	}
}

func (d *capturing) StreamIdle(driver.Stream) (bool, error) { d.spoil(); return !d.busy, nil }
func (d *capturing) EventDone(driver.Event) (bool, error)   { d.spoil(); return !d.busy, nil }
func (d *capturing) StreamSynchronize(driver.Stream) error  { d.spoil(); return nil }
func (d *capturing) MemFree(driver.Ptr) error               { d.spoil(); return nil }
func (d *capturing) DeviceSynchronize() error               { d.spoil(); d.waits++; return nil }
func (d *capturing) WaitFree(driver.Ptr) driver.Blocking    { d.spoil(); return driver.Blocking{} }
func (d *capturing) WaitDevice() driver.Blocking {
	_ = d.DeviceSynchronize()
	return driver.Blocking{}
}

func (d *capturing) MemAlloc(bytes uint64) (driver.Ptr, error) {
	d.allocs = append(d.allocs, d.mode)
	return d.Driver.MemAlloc(bytes)
}

func capturingHost() (*host, *capturing) {
	d := &capturing{Driver: null.Open(null.Options{})}
	return over(d, Config{}), d
}

func launchOn(h *host, s uintptr) {
	h.LaunchKernel(&Launch{Function: 0x500, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}, Stream: s})
}

func TestAFreeDuringACaptureDoesNotEndIt(t *testing.T) {
	for name, foreign := range map[string]bool{"of a stream of ours": false, "of a foreign stream": true} {
		t.Run(name, func(t *testing.T) {
			h, d := capturingHost()
			s := h.StreamCreate()
			if foreign {
				s = 0xf0e1
			}
			p, q := h.MemAlloc(512, 0, false), h.MemAlloc(512, 0, false)
			d.on = true
			launchOn(h, s)
			h.MemFree(p)
			h.MemFree(q)
			for range 3 {
				require.NotContains(t, []uintptr{p, q}, h.MemAlloc(512, s, false))
			}
			h.AllocCacheTrim(0)
			assert.Zero(t, d.spoiled, "nothing is asked, waited for or freed")
			assert.Equal(t, []uint32{0, 0, driver.CaptureRelaxed, driver.CaptureRelaxed, driver.CaptureRelaxed}, d.allocs)
			assert.Zero(t, d.mode, "the thread's mode is as it was")

			d.on = false
			launchOn(h, s) // shows that the program no longer captures the foreign stream
			h.StreamSynchronize(s)
			if !foreign {
				assert.Contains(t, []uintptr{p, q}, h.MemAlloc(512, s, false))
			}
			assert.NotZero(t, h.AllocCacheTrim(0))
			h.requireSilence(t)
		})
	}
}

func TestForeignStreamsMakeEachFreeWaitForTheDevice(t *testing.T) {
	h, d := capturingHost()
	p := h.MemAlloc(512, 0, false)
	h.MemFree(p)
	require.Equal(t, p, h.MemAlloc(512, 0, false))
	require.Zero(t, d.waits)
	launchOn(h, 0xf0e1)
	for i := range 5 {
		h.MemFree(p)
		require.Equal(t, i+1, d.waits)
		require.Equal(t, p, h.MemAlloc(512, 0, false), "it has waited: the block is free")
	}
	assert.Equal(t, Waits{Foreign: 5}, h.MemoryStats(0).Waits)
	h.requireSilence(t)
}

func TestAFreeWaitsWhereTheHostCouldSeeThatItDoesNot(t *testing.T) {
	for name, share := range map[string]func(*host){
		"managed memory":               func(h *host) { h.MemAlloc(8, 0, true) },
		"registered memory":            func(h *host) { h.HostRegister(0x10000, 4096) },
		"memory registered by others":  func(h *host) { h.DeviceMemRefFloat(0x10000) },
		"a copy to page-locked memory": func(h *host) { h.Memcpy(pageLocked, 0x20000, 8, 0); h.StreamSynchronize(0) },
	} {
		t.Run(name, func(t *testing.T) {
			h, d := capturingHost()
			s := h.StreamCreate()
			h.StreamSynchronize(s)
			p := h.MemAlloc(512, 0, false)
			share(h)
			h.MemFree(p)
			require.Zero(t, d.waits, "there is nothing to wait for")
			require.Equal(t, p, h.MemAlloc(512, 0, false))
			launchOn(h, s)
			h.MemFree(p)
			require.Equal(t, 1, d.waits)
			require.Equal(t, p, h.MemAlloc(512, 0, false))
			h.requireSilence(t)
		})
	}
}

func TestAFreeThatWaitedForItsDeviceSaysNothingOfOtherDevices(t *testing.T) {
	runtime.LockOSThread() // the thread's current device is set
	defer runtime.UnlockOSThread()
	d := device.New(2, 1)
	d.Lazy = true
	h := over(d, Config{})
	first := h.MemAlloc(512, 0, false)
	launchOn(h, 0)
	h.SetDefaultDevice(1)
	s, second := h.StreamCreate(), h.MemAlloc(512, 0, false)
	launchOn(h, s)
	h.MemFree(second)
	h.MemAlloc(512, 0, true) // makes later frees wait
	h.SetDefaultDevice(0)
	h.MemFree(first)
	require.Equal(t, Waits{Shared: 1}, h.MemoryStats(0).Waits)
	require.NotEqual(t, first, h.MemAlloc(512, 0, false), "the launch on the other device may use it")
	h.SetDefaultDevice(1)
	require.NotEqual(t, second, h.MemAlloc(512, 0, false))
	h.StreamSynchronize(s)
	require.Equal(t, second, h.MemAlloc(512, 0, false))
	h.SetDefaultDevice(0)
	require.Equal(t, first, h.MemAlloc(512, 0, false))
	h.requireSilence(t)
}

func TestStreamsDestroyedWithWorkPendingMakeOneFreeWait(t *testing.T) {
	d := device.New(1, 1)
	d.Lazy = true
	h := over(d, Config{})
	p := h.MemAlloc(512, 0, false)
	var streams []uintptr
	for range 130 { // more streams than the pool may have draining
		s := h.StreamCreate()
		launchOn(h, s)
		streams = append(streams, s)
	}
	for _, s := range streams {
		h.StreamDestroy(s)
	}
	for range 3 {
		h.MemFree(p)
		require.Equal(t, Waits{Abandoned: 1}, h.MemoryStats(0).Waits)
		require.Equal(t, p, h.MemAlloc(512, 0, false))
	}
	h.requireSilence(t)
}

// Work submitted before the free ends at some time, even if the stream never becomes idle: an event shows that.
func TestAStreamThatIsNeverIdleHoldsNothingForGood(t *testing.T) {
	h, d := capturingHost()
	s := h.StreamCreate()
	p := h.MemAlloc(512, s, false)
	d.busy = true
	launchOn(h, s)
	h.MemFree(p)
	require.NotEqual(t, p, h.MemAlloc(512, s, false), "records an event after the launch")
	launchOn(h, s)
	never := &idleNever{capturing: d}
	h.core.Load().views[memAlloc].meter.drv = never
	require.Equal(t, p, h.MemAlloc(512, s, false))
	h.requireSilence(t)
}

// idleNever is a driver whose streams always have more work and whose events are always done.
type idleNever struct{ *capturing }

func (idleNever) StreamIdle(driver.Stream) (bool, error) { return false, nil }
func (idleNever) EventDone(driver.Event) (bool, error)   { return true, nil }

func TestMoreStreamsThanAreListedMakeEachFreeWait(t *testing.T) {
	h, d := capturingHost()
	h.MemAlloc(8, 0, true)
	p := h.MemAlloc(512, 0, false)
	for range 16_500 {
		h.StreamCreate()
	}
	for i := range 3 {
		h.MemFree(p)
		require.Equal(t, i+1, d.waits)
		require.Equal(t, p, h.MemAlloc(512, 0, false))
	}
	h.requireSilence(t)
}

func TestMemoryOffAsksTheDriverEachTime(t *testing.T) {
	d := &capturing{Driver: null.Open(null.Options{})}
	h := over(d, Config{Memory: MemoryConfig{Level: "off"}})
	p := h.MemAlloc(512, 0, false)
	h.MemFree(p)
	require.NotEqual(t, p, h.MemAlloc(512, 0, false))
	require.Len(t, d.allocs, 2)
	c := h.AllocCacheCreate()
	session := h.AllocCacheBegin(c)
	require.True(t, h.AllocCacheEnd(c, session))
	h.AllocCacheDestroy(c)
	require.Zero(t, h.AllocCacheInfo(c, FreeBlocks))
	require.Zero(t, h.AllocCacheTrim(0))
	h.requireSilence(t)
}

// listing is a driver that records allocations and frees.
type listing struct {
	*null.Driver
	sizes []uint64
	frees []driver.Ptr
	full  bool
}

func (d *listing) MemAlloc(bytes uint64) (driver.Ptr, error) {
	if d.full {
		return 0, boom
	}
	d.sizes = append(d.sizes, bytes)
	return d.Driver.MemAlloc(bytes)
}

func (d *listing) MemFree(p driver.Ptr) error {
	d.frees = append(d.frees, p)
	return d.Driver.MemFree(p)
}

// strict knows one stream besides the null driver's.
type strict struct {
	*capturing
	foreign driver.Stream
	why     driver.Code // for others
}

func (d *strict) Capturing(s driver.Stream) (bool, error) {
	if s != d.foreign {
		return false, &driver.Error{Call: "hipStreamIsCapturing", Code: d.why}
	}
	return d.on, nil
}

func TestScratchWantsAStreamThatExists(t *testing.T) {
	d := &strict{capturing: &capturing{Driver: null.Open(null.Options{})}, foreign: 0xf0e1, why: driver.InvalidHandle}
	h := over(d, Config{})
	s := h.StreamCreate()
	d.on = true
	require.NotZero(t, h.Scratch(1, 10, s, 0))
	require.NotZero(t, h.Scratch(1, 10, 0xf0e1, 0))
	require.Zero(t, h.Scratch(1, 10, 0xbad, 0))
	require.Len(t, h.lines(), 1)
	d.why = driver.Unknown // CUDA's default stream during a capture
	require.NotZero(t, h.Scratch(1, 10, 1, 0))
	d.on = false
	h.StreamDestroy(s)
	require.Zero(t, h.Scratch(1, 0, s, 0))
	require.Len(t, h.lines(), 1)
	e := h.EventCreate()
	require.Zero(t, h.Scratch(1, 10, e, 0))
	require.Len(t, h.lines(), 1)
	require.Zero(t, d.spoiled)
	h.requireSilence(t)
}

func TestScratchIsTheDriversWhereMemoryIsNotKept(t *testing.T) {
	for _, cfg := range []Config{{NoCache: true}, {Memory: MemoryConfig{Level: "off"}}} {
		d := &listing{Driver: null.Open(null.Options{})}
		h := over(d, cfg)
		s := h.StreamCreate()
		require.Zero(t, h.Scratch(1, 0, s, 0))
		p := h.Scratch(1, 10, s, 0)
		require.NotZero(t, p)
		require.Equal(t, p, h.Scratch(1, 9, s, 0))
		require.Equal(t, p, h.Scratch(1, 0, s, 0))
		onOther, onNull := h.Scratch(2, 10, s, 0), h.Scratch(1, 10, 0, 0)
		require.NotContains(t, []uintptr{0, p}, onOther)
		require.NotContains(t, []uintptr{0, p}, onNull)
		q := h.Scratch(1, 11, s, 0)
		require.NotContains(t, []uintptr{0, p}, q)
		require.Equal(t, []uint64{10, 10, 10, 11}, d.sizes, "as many as were asked for")
		require.Equal(t, []driver.Ptr{driver.Ptr(p)}, d.frees)
		d.full = true
		require.Zero(t, h.Scratch(1, 12, s, 0))
		require.Len(t, h.lines(), 1)
		require.Equal(t, q, h.Scratch(1, 11, s, 0), "it stays")
		d.frees = nil
		h.StreamDestroy(s)
		if cfg.NoCache {
			require.ElementsMatch(t, []driver.Ptr{driver.Ptr(q), driver.Ptr(onOther)}, d.frees)
		} else {
			require.Empty(t, d.frees, "the next stream is the same")
		}
		require.Equal(t, onNull, h.Scratch(1, 10, 0, 0))
		h.requireSilence(t)
	}
}

func TestMemoryInASteadyStateAllocatesNothing(t *testing.T) {
	h := over(null.Open(null.Options{}), Config{})
	s := h.StreamCreate()
	c := h.AllocCacheCreate()
	cycle := func() {
		p := h.MemAlloc(4096, s, false)
		launchOn(h, s)
		h.Memcpy(p, p, 64, s)
		h.MemFree(p)
		h.StreamSynchronize(s)
		session := h.AllocCacheBegin(c)
		h.AllocCacheEnd(c, session)
		h.Scratch(7, 100, s, 0)
	}
	cycle()
	cycle()
	// A session is an object, and the scope's map has an entry for each.
	assert.LessOrEqual(t, testing.AllocsPerRun(1000, cycle), 2.0)
	q := h.MemAlloc(64, 0, false)
	h.MemFree(q)
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		launchOn(h, s)
		h.Memset32(q, 1, 4, s)
		h.Memset16(q, 1, 4, s)
		h.MemFree(h.MemAlloc(64, s, false))
		h.StreamSynchronize(s)
	}))
	h.requireSilence(t)
}

func TestFreeMemoryIsKeptUpToALimit(t *testing.T) {
	for limit, kept := range map[string]uint64{"": device.Memory / 2, "25%": device.Memory / 4, "3MiB": 3 << 20, "0": 0, "100%": device.Memory} {
		d := device.New(1, 1)
		h := over(d, Config{Memory: MemoryConfig{Limit: limit}})
		var blocks []uintptr
		for range device.Memory >> 20 {
			blocks = append(blocks, h.MemAlloc(1<<20, 0, false))
		}
		require.NotContains(t, blocks, uintptr(0))
		for _, p := range blocks {
			h.MemFree(p)
		}
		s := h.MemoryStats(0)
		require.Equal(t, []uint64{kept, kept, 0, device.Memory}, []uint64{s.Cached, s.Reserved, s.Live, s.Peak}, limit)
		require.Equal(t, int(kept>>20), d.Blocks(), limit)
		h.requireSilence(t)
	}
}
