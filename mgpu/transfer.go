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

// downloads decides which downloads (copies from device memory to pageable host memory) go
// by way of page-locked memory, which the driver writes to without waiting.
type downloads struct {
	knowsPlaces bool // the driver knows what lies where
	enabled     bool // and can do what else is needed

	mu      sync.Mutex
	records []*staged
	trials  [stagedDoublings]trial
	counts  []atomic.Uint64 // copies, by device
}

// Smaller and larger copies are always the driver's.
const (
	minStagedBytes  = 4 << 10
	maxStagedBytes  = 4 << 20
	stagedDoublings = 11 // the doublings from minStagedBytes to maxStagedBytes
	minStagedLog    = 12
)

// openDownloads looks at what the driver can do.
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

// destinationPlace asks what a copy writes to. If that is page-locked memory the copy is on its
// way when the call returns, and the program may wait for it by a free.
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

// comesFromDevice reports whether a copy may come from the device to memory of the host's.
func (f *frame) comesFromDevice(dst, src uintptr) bool {
	return f.k.memory.cache.Find(dst) == nil && f.placeOf(src) == driver.DeviceOnly
}

// writablePageable reports whether what comes from the device goes to pageable memory that can
// be written: what can't is the driver's to refuse.
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
		return driver.Shared // the driver knows best
	}
	return place
}

// stageDownload begins a copy by way of page-locked memory; ok is false where the driver
// has to make it as it is.
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

// allocPinned gives page-locked memory, nil if there is none; kept: if none is kept.
func (f *frame) allocPinned(bytes uint64, cachedOnly bool) *alloccache.Block {
	b, _, err := f.k.memory.cache.Alloc(f.memory(), alloccache.Request{Kind: alloccache.Pinned, Bytes: bytes, Kept: cachedOnly, Row: f.call})
	if err != nil {
		return nil
	}
	return b
}

// allocPinnedFor is pinned for a copy on a stream that the program does not expect to wait
// for anything else: the driver may page-lock no memory before kernels have ended, and
// one of them may wait for what the program does behind the copy.
func (f *frame) allocPinnedFor(s *streampool.Entry, bytes uint64) *alloccache.Block {
	b := f.allocPinned(bytes, true)
	if b == nil && f.onlyBusyStream(s) {
		b = f.allocPinned(bytes, false)
	}
	return b
}

// freePinned gives page-locked memory back that work up to marks uses.
func (f *frame) freePinned(b *alloccache.Block, after ...alloccache.Mark) {
	cache := f.k.memory.cache
	if b, _, _ = cache.Hold(b.Ptr(), callNames[f.call]); b == nil {
		return
	}
	if m, o := cache.SettleAfter(f.memory(), b, after...); o == alloccache.Given {
		f.failed(f.memory().Release(m.Kind, m.Device, m.Ptr))
	}
}

// onlyBusyStream reports that no stream but s has work, as far as is known.
func (f *frame) onlyBusyStream(s *streampool.Entry) bool {
	alone := true
	f.k.pool.Streams(func(e *streampool.Entry) bool {
		alone = e == s || !e.Pending()
		return alone
	})
	return alone
}
