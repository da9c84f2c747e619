package mgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// copier is a driver that has kernels copy; it counts who copied.
type copier struct {
	*capturing
	host                        []byte
	unable, fail                error
	prepared, byKernel, byOther int
	pinned                      int
	preparedIn, waitedIn        uint32 // the thread's capture mode then
}

const (
	aCopy = 0xc0b0 + iota
	aWait // of a copy that a kernel makes: nothing else is left to C
)

func (d *copier) PrepareKernelCopy() error {
	d.prepared++
	d.preparedIn = d.mode
	return d.unable
}

func (d *copier) StreamSynchronize(driver.Stream) error { d.waitedIn = d.mode; return nil }

func (d *copier) HostAlloc(bytes uint64) (driver.Ptr, error) {
	d.pinned++
	return d.capturing.HostAlloc(bytes)
}

func (d *copier) KernelCopy(_, _ driver.Ptr, _ uint64, _ driver.Stream) error {
	d.byKernel++
	return d.fail
}

func (d *copier) Memcpy(_, _ driver.Ptr, _ uint64, _ driver.Stream) error { d.byOther++; return nil }

func (d *copier) WaitCopy(_, _ driver.Ptr, _ uint64, _ driver.Stream) driver.Blocking {
	return driver.Blocking{Fn: aCopy}
}

func (d *copier) WaitCopied(driver.Stream) driver.Blocking { return driver.Blocking{Fn: aWait} }

func (d *copier) PlaceOf(p driver.Ptr) (driver.Place, error) {
	if uintptr(p)-addressOfBytes(d.host) < uintptr(len(d.host)) {
		return driver.Pageable, nil
	}
	return driver.DeviceOnly, nil
}

func copying(mode string) (*host, *copier) {
	d := &copier{capturing: &capturing{Driver: null.Open(null.Options{})}, host: make([]byte, 2<<20)}
	return over(d, Config{StagedCopy: 0x57a6ed, Memory: MemoryConfig{Copy: mode}}), d
}

// copied makes a copy and ends it; it returns what copied: zero for the driver, as
// the program asked.
func (h *host) copied(dst, src uintptr, bytes uint64, stream uintptr) uintptr {
	w := h.Memcpy(dst, src, bytes, stream)
	by := uintptr(0)
	if w.Record != 0 && w.Fn == 0x57a6ed {
		r := h.core.Load().memory.copies.records[w.Record-1]
		if by = r.Copy.Fn; by == 0 {
			by = r.Wait.Fn
		}
	}
	h.Waited(w, 0)
	return by
}

// pinSome has page-locked memory kept.
func (h *host) pinSome(bytes uint64) {
	f := h.frameOf(h.core.Load(), memcpy)
	f.unpin(f.pinned(bytes, false))
}

// kernelsWon ends all trials.
func (h *host) kernelsWon() {
	trials := &h.core.Load().memory.copies.trials
	for i := range trials {
		trials[i].pinned.n.Store(duelCopies + 1)
		trials[i].pinned.won.Store(true)
		trials[i].kernel.n.Store(duelCopies + 1)
		trials[i].kernel.won.Store(true)
	}
}

func TestKernelsCopyWhereTheyAreFasterAndNobodyElseWorks(t *testing.T) {
	const size = 64 << 10
	type scene struct {
		h     *host
		d     *copier
		s     uintptr
		block uintptr
	}
	for name, c := range map[string]struct {
		bytes  uint64
		offset uintptr
		before func(x *scene)
		by     uintptr
	}{
		"a whole block":        {bytes: size, by: aWait},
		"its beginning":        {bytes: size - 4097, by: aWait},
		"its middle":           {bytes: size / 2, offset: 4096, by: aCopy},
		"more than the block":  {bytes: size + 1, by: aCopy},
		"little":               {bytes: leastByKernel - 1, by: aCopy},
		"a kernel before it":   {bytes: size, by: aWait, before: func(x *scene) { launchOn(x.h, x.s) }},
		"other streams work":   {bytes: size, by: aCopy, before: func(x *scene) { launchOn(x.h, x.h.StreamCreate()) }},
		"the null stream":      {bytes: size, by: aCopy, before: func(x *scene) { x.s = 0 }},
		"a foreign stream":     {bytes: size, by: 0, before: func(x *scene) { x.s = 0xf0e1 }},
		"one has been seen":    {bytes: size, by: aCopy, before: func(x *scene) { launchOn(x.h, 0xf0e1) }},
		"managed memory":       {bytes: size, by: aCopy, before: func(x *scene) { x.h.MemAlloc(8, 0, true) }},
		"registered memory":    {bytes: size, by: aCopy, before: func(x *scene) { x.h.HostRegister(0x10000, 4096) }},
		"a freed block":        {bytes: size, by: aCopy, before: func(x *scene) { x.h.MemFree(x.block, x.s) }},
		"no kernel to be had":  {bytes: size, by: aCopy, before: func(x *scene) { x.d.unable = boom }},
		"in a capture":         {bytes: size, by: 0, before: func(x *scene) { x.d.on = true }},
		"a stream that waited": {bytes: size, by: aWait, before: func(x *scene) { launchOn(x.h, x.s); x.h.Waited(x.h.StreamSynchronize(x.s), 0) }},
	} {
		t.Run(name, func(t *testing.T) {
			h, d := copying("kernel")
			x := &scene{h: h, d: d, s: h.StreamCreate(), block: h.MemAlloc(size, 0, false)}
			if c.before != nil {
				c.before(x)
			}
			h.kernelsWon()
			h.pinSome(c.bytes)
			for range 3 {
				require.Equal(t, c.by, h.copied(addressOfBytes(d.host), x.block+c.offset, c.bytes, x.s))
			}
			require.LessOrEqual(t, d.prepared, 1)
			h.requireSilence(t)
		})
	}
}

func TestWorkBeforeAStagedCopyIsWaitedForFirst(t *testing.T) {
	h, d := copying("")
	s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
	h.kernelsWon()
	behind := func() uint64 {
		require.EqualValues(t, aCopy, h.copied(addressOfBytes(d.host), block, 64<<10, s))
		return h.core.Load().memory.copies.records[0].Behind
	}
	launchOn(h, s)
	require.EqualValues(t, 1, behind())
	require.Zero(t, behind(), "the copy was waited for")
	h.requireSilence(t)
}

func TestACopyToElsewhereThanExpectedIsTheDriversAndNextTimeItIsAskedFirst(t *testing.T) {
	h, d := copying("kernel")
	s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
	h.kernelsWon()
	require.EqualValues(t, aWait, h.copied(addressOfBytes(d.host), block, 64<<10, s))
	require.Equal(t, 1, d.byKernel)
	for range 3 {
		w := h.Memcpy(0xf0e1d000, block, 64<<10, s)
		require.EqualValues(t, aCopy, w.Fn)
		require.Zero(t, w.Record)
		h.Waited(w, 0)
		require.Equal(t, 2, d.byKernel, "once by mistake, into memory that nobody reads")
	}
	require.EqualValues(t, aWait, h.copied(addressOfBytes(d.host), block, 64<<10, s))
	h.requireSilence(t)
}

func TestAKernelThatCannotBeLaunchedLeavesItsCopyToTheDriver(t *testing.T) {
	for _, asked := range []bool{false, true} {
		h, d := copying("kernel")
		s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
		h.kernelsWon()
		h.core.Load().memory.copies.kernels.late.Store(asked)
		d.fail = boom
		w := h.Memcpy(addressOfBytes(d.host), block, 64<<10, s)
		require.EqualValues(t, aCopy, w.Fn)
		require.Zero(t, w.Record)
		h.Waited(w, 0)
		d.fail = nil
		for range 3 {
			require.NotEqual(t, uintptr(aWait), h.copied(addressOfBytes(d.host), block, 64<<10, s))
		}
		require.Equal(t, 1, d.byKernel, "it was tried once")
		require.Zero(t, h.MemoryStats(0).Copies.ByKernel)
		h.requireSilence(t)
	}
}

func TestADeferredCopyWhoseKernelCannotBeLaunchedIsTheDrivers(t *testing.T) {
	h, d := copying("deferred-kernel")
	s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
	h.kernelsWon()
	for i := range h.core.Load().memory.copies.trials {
		h.core.Load().memory.copies.trials[i].kernel.n.Store(oftenCopied)
	}
	d.fail = boom
	host := addressOfBytes(d.host)
	for range 3 {
		require.Zero(t, h.Memcpy(block, host, 64<<10, s).Fn)
		require.Zero(t, h.Memcpy(host, block, 64<<10, s).Fn)
	}
	require.Equal(t, 1, d.byKernel)
	require.Equal(t, 6, d.byOther)
	h.Waited(h.StreamSynchronize(s), 0)
	require.Equal(t, CopyStats{Deferred: 3, Delivered: 3}, h.MemoryStats(0).Copies)
	h.requireSilence(t)
}

// A kernel that occupies the device and waits for the host may have been submitted by
// anybody, unseen: the copy engine gets by it, a kernel does not.
func TestKernelsCopyForThoseOnlyWhoAskForIt(t *testing.T) {
	for _, mode := range []string{"", "direct", "deferred"} {
		h, d := copying(mode)
		s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
		host := addressOfBytes(d.host)
		h.kernelsWon()
		for range 3 * oftenCopied {
			h.Waited(h.Memcpy(block, host, 64<<10, s), 0)
			h.Waited(h.Memcpy(host, block, 64<<10, s), 0)
			h.Waited(h.StreamSynchronize(s), 0)
		}
		require.Zero(t, d.prepared, mode)
		require.Zero(t, d.byKernel, mode)
		h.requireSilence(t)
	}
}

func TestKernelsAreCompiledForThoseWhoCopyOften(t *testing.T) {
	h, d := copying("kernel")
	s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
	dst := addressOfBytes(d.host)
	for range oftenCopied - 1 {
		require.NotEqual(t, uintptr(aWait), h.copied(dst, block, 64<<10, s))
		require.Zero(t, d.prepared)
	}
	for range duelCopies {
		h.copied(dst, block, 64<<10, s)
	}
	assert.Equal(t, 1, d.prepared)
	assert.EqualValues(t, driver.CaptureRelaxed, d.preparedIn, "a capture that the library does not know of goes on")
	assert.Zero(t, d.mode)
	assert.GreaterOrEqual(t, h.MemoryStats(0).Copies.ByKernel, uint64(duelCopies/2-1), "the duel's at least")
	h.requireSilence(t)
}

func TestDeferredCopiesAreKernelsOnceThereAreMany(t *testing.T) {
	h, d := copying("deferred-kernel")
	s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
	host := addressOfBytes(d.host)
	for range 2 * oftenCopied {
		h.Memcpy(block, host, 64<<10, s)
		h.Memcpy(host, block, 64<<10, s)
		h.Waited(h.StreamSynchronize(s), 0)
	}
	assert.Equal(t, 1, d.prepared)
	assert.Equal(t, oftenCopied-1, d.byOther)
	assert.Equal(t, 3*oftenCopied+1, d.byKernel)
	c := h.MemoryStats(0).Copies
	assert.Equal(t, CopyStats{Deferred: 2 * oftenCopied, Delivered: 2 * oftenCopied, ByKernel: 3*oftenCopied + 1}, c)
	h.requireSilence(t)
}
