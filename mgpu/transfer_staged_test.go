package mgpu

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// copier is a driver whose copies and waits are told apart by function address.
type copier struct {
	*capturing
	host   []byte
	pinned int
}

const (
	aCopy = 0xc0b0 + iota
	aWait
)

func (d *copier) HostAlloc(bytes uint64) (driver.Ptr, error) {
	d.pinned++
	return d.capturing.HostAlloc(bytes)
}

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
	return over(d, Config{FastPath: &fastPath{}, Memory: MemoryConfig{Copy: mode}}), d
}

// copied makes a copy, ends it, and reports whether it was staged.
func (h *host) copied(dst, src uintptr, bytes uint64, stream uintptr) (staged bool) {
	w := h.Memcpy(dst, src, bytes, stream)
	h.Waited(w, 0)
	return w.Record != 0
}

// stagingWon sets all trials to staging.
func (h *host) stagingWon() {
	trials := &h.core.Load().memory.downloads.trials
	for i := range trials {
		trials[i].copies.Store(trialCopies + 1)
		trials[i].stagingWon.Store(true)
	}
}

func TestDownloadsAreStagedWhereThatWonATrial(t *testing.T) {
	for name, c := range map[string]struct {
		mode   string
		bytes  uint64
		offset uintptr
		before func(h *host, d *copier, s *uintptr)
		staged bool
	}{
		"a whole block":      {bytes: 64 << 10, staged: true},
		"its middle":         {bytes: 32 << 10, offset: 4096, staged: true},
		"little":             {bytes: minStagedBytes - 1},
		"much":               {bytes: maxStagedBytes + 1},
		"a foreign stream":   {bytes: 64 << 10, before: func(_ *host, _ *copier, s *uintptr) { *s = 0xf0e1 }},
		"in a capture":       {bytes: 64 << 10, before: func(_ *host, d *copier, _ *uintptr) { d.on = true }},
		"MGPU_COPY=direct":   {mode: "direct", bytes: 64 << 10},
		"a kernel before it": {bytes: 64 << 10, staged: true, before: func(h *host, _ *copier, s *uintptr) { launchOn(h, *s) }},
	} {
		t.Run(name, func(t *testing.T) {
			h, d := copying(c.mode)
			s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
			if c.before != nil {
				c.before(h, d, &s)
			}
			h.stagingWon()
			for range 3 {
				require.Equal(t, c.staged, h.copied(addressOfBytes(d.host), block+c.offset, c.bytes, s))
			}
			h.requireSilence(t)
		})
	}
}

// The library's memcpy would crash the program.
func TestDownloadsToMemoryThatCannotBeWrittenAreTheDrivers(t *testing.T) {
	page := os.Getpagesize()
	for name, protect := range map[string]func(pages []byte) error{
		"read-only":            func(p []byte) error { return syscall.Mprotect(p, syscall.PROT_READ) },
		"read-only inside":     func(p []byte) error { return syscall.Mprotect(p[3*page:4*page], syscall.PROT_READ) },
		"inaccessible inside":  func(p []byte) error { return syscall.Mprotect(p[3*page:4*page], syscall.PROT_NONE) },
		"read-only at the end": func(p []byte) error { return syscall.Mprotect(p[7*page:], syscall.PROT_READ) },
	} {
		t.Run(name, func(t *testing.T) {
			h, d := copying("")
			pages, err := syscall.Mmap(-1, 0, 8*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
			require.NoError(t, err)
			defer syscall.Munmap(pages)
			d.host = pages
			s, block, bytes := h.StreamCreate(), h.MemAlloc(64<<10, 0, false), uint64(8*page-100)
			h.stagingWon()
			require.True(t, h.copied(addressOfBytes(d.host)+50, block, bytes, s))
			require.NoError(t, protect(pages))
			require.False(t, h.copied(addressOfBytes(d.host)+50, block, bytes, s))
			h.requireSilence(t)
		})
	}
}

func TestWorkBeforeAStagedCopyIsWaitedForFirst(t *testing.T) {
	h, d := copying("")
	s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
	h.stagingWon()
	behind := func() uint64 {
		require.True(t, h.copied(addressOfBytes(d.host), block, 64<<10, s))
		return h.core.Load().memory.downloads.records[0].Behind
	}
	launchOn(h, s)
	require.EqualValues(t, 1, behind())
	require.Zero(t, behind(), "the copy was waited for")
	h.requireSilence(t)
}

// HIP's wait for a stream ends captures on other streams, and fails; its copy does neither.
func TestAStagedCopyEndsNoCaptureOfAnotherStream(t *testing.T) {
	for _, status := range []int32{0, 1} {
		h, d := copying("")
		s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
		h.stagingWon()
		w := h.Memcpy(addressOfBytes(d.host), block, 64<<10, s)
		require.EqualValues(t, stagedCopy, w.Fn)
		require.EqualValues(t, driver.CaptureRelaxed, d.mode)
		h.Waited(w, status)
		require.Zero(t, d.mode)
		w = h.Memcpy(0xf0e1d000, block, 64<<10, s) // made by the driver
		require.Zero(t, d.mode)
		h.Waited(w, 0)
		require.Zero(t, d.mode)
	}
}

// A kernel may wait for what the program does after the download, and the driver's allocation
// for that kernel.
func TestACopyPageLocksNoMemoryWhileOtherStreamsWork(t *testing.T) {
	h, d := copying("")
	s, other, block := h.StreamCreate(), h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
	host := addressOfBytes(d.host)
	h.stagingWon()
	launchOn(h, other)
	for range 3 {
		require.False(t, h.copied(host, block, 64<<10, s), "the driver's")
	}
	require.Zero(t, d.pinned)
	h.Waited(h.StreamSynchronize(other), 0)
	require.True(t, h.copied(host, block, 64<<10, s))
	launchOn(h, other)
	require.True(t, h.copied(host, block, 64<<10, s), "by what is kept")
	require.Equal(t, 1, d.pinned)
	h.requireSilence(t)
}
