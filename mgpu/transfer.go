package mgpu

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// downloads chooses how each download (a copy from device memory to pageable host memory) is
// made: by the driver, or staged by way of page-locked memory.
type downloads struct {
	knowsPlaces bool // the driver tells the place of an address
	enabled     bool // downloads may be staged

	mu      sync.Mutex
	records []*staged
	trials  [stagedDoublings]trial
	counts  []atomic.Uint64 // staged downloads, by device
}

// Sizes of staged downloads. Smaller and larger ones are made by the driver.
const (
	minStagedBytes  = 4 << 10
	maxStagedBytes  = 4 << 20
	stagedDoublings = 11 // the doublings from minStagedBytes to maxStagedBytes
	minStagedLog    = 12
)

// openDownloads checks settings and driver for staged downloads.
func (r *Runtime) openDownloads(k *core) {
	c := &k.memory.downloads
	c.counts = make([]atomic.Uint64, k.devices)
	_, pins := k.drv.(driver.Pinner)
	_, c.knowsPlaces = k.drv.(driver.Placer)
	mode := r.cfg.Memory.Copy
	if mode != "" && mode != "direct" {
		r.printLine(fmt.Sprintf("mgpu: MGPU_COPY=%s is not direct; downloads may be staged", mode))
	}
	c.enabled = pins && c.knowsPlaces && mode != "direct" && k.waiter != nil && r.cfg.FastPath != nil
}

// destinationPlace returns the place of a copy's destination. Page-locked memory is noted as
// shared: such a copy may be under way when the call returns, and the program may wait for it
// by a free.
func (f *frame) destinationPlace(dst uintptr) driver.Place {
	if !f.k.memory.downloads.knowsPlaces {
		return driver.Pageable
	}
	to := f.placeOf(dst)
	if to == driver.Shared {
		f.k.noteShared()
	}
	return to
}

// comesFromDevice reports whether a copy goes from device memory to host memory.
func (f *frame) comesFromDevice(dst, src uintptr) bool {
	return f.k.memory.cache.Find(dst) == nil && f.placeOf(src) == driver.DeviceOnly
}

// writablePageable reports whether a copy's destination is writable pageable memory.
// Unwritable memory is left to the driver to refuse.
func (f *frame) writablePageable(dst uintptr, bytes uint64) bool {
	return f.destinationPlace(dst) == driver.Pageable && hostmem.Writable(dst, bytes)
}

func (f *frame) placeOf(p uintptr) driver.Place {
	if b := f.k.memory.cache.Find(p); b != nil && b.State() == alloccache.Live {
		if b.Kind() == alloccache.Device {
			return driver.DeviceOnly
		}
		return driver.Shared
	}
	defer f.charge().stop()
	place, err := f.k.drv.(driver.Placer).PlaceOf(driver.Ptr(p))
	if err != nil {
		return driver.Shared // not known to be pageable: the driver makes the copy
	}
	return place
}

// stageDownload begins a staged download. ok is false if the driver is to make the copy.
func (f *frame) stageDownload(dst, src uintptr, bytes uint64, stream uintptr, s *streampool.Entry) (w Wait, ok bool) {
	if f.k.memory == nil {
		return Wait{}, false
	}
	c := &f.k.memory.downloads
	if c.enabled && s != nil && bytes >= minStagedBytes && bytes <= maxStagedBytes && f.comesFromDevice(dst, src) &&
		c.trials[trialFor(bytes)].stagesNext(now) && !f.mayCaptureStream(stream) {
		return f.beginDownload(dst, src, bytes, stream, s)
	}
	f.destinationPlace(dst)
	return Wait{}, false
}

// allocPinned allocates page-locked memory, nil on failure. cachedOnly: only from the cache.
func (f *frame) allocPinned(bytes uint64, cachedOnly bool) *alloccache.Block {
	b, _, err := f.k.memory.cache.Alloc(f.memory(), alloccache.Request{Kind: alloccache.Pinned, Bytes: bytes, CachedOnly: cachedOnly, Call: f.call})
	if err != nil {
		return nil
	}
	return b
}

// allocPinnedFor allocates page-locked memory for a download on s. New memory is allocated
// only if no other stream is busy: the driver may wait for running kernels before it
// page-locks, and such a kernel may wait for what the program does after the download.
func (f *frame) allocPinnedFor(s *streampool.Entry, bytes uint64) *alloccache.Block {
	b := f.allocPinned(bytes, true)
	if b == nil && f.onlyBusyStream(s) {
		b = f.allocPinned(bytes, false)
	}
	return b
}

// freePinned returns page-locked memory to the cache. Work up to the marks in after may still
// use it.
func (f *frame) freePinned(b *alloccache.Block, after ...alloccache.Mark) {
	cache := f.k.memory.cache
	if b, _, _ = cache.Hold(b.Ptr(), callNames[f.call]); b == nil {
		return
	}
	if m, o := cache.SettleAfter(f.memory(), b, after...); o == alloccache.Given {
		f.failed(f.memory().Release(m.Kind, m.Device, m.Ptr))
	}
}

// onlyBusyStream reports whether no other known stream has work.
func (f *frame) onlyBusyStream(s *streampool.Entry) bool {
	alone := true
	f.k.pool.Streams(func(e *streampool.Entry) bool {
		alone = e == s || !e.Pending()
		return alone
	})
	return alone
}
