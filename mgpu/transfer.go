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

// copies decides which downloads (copies from device memory to pageable host memory) go
// by way of page-locked memory, which the driver writes to without waiting.
type copies struct {
	tells   bool // the driver knows what lies where
	enabled bool // and can do what else is needed

	mu      sync.Mutex
	records []*staged
	trials  [stagedBits]duel
	staged  []atomic.Uint64 // copies, by device
}

// Smaller and larger copies are always the driver's.
const (
	leastStaged    = 4 << 10
	mostStaged     = 4 << 20
	stagedBits     = 11 // the doublings from leastStaged to mostStaged
	leastStagedLog = 12
)

// openCopies looks at what the driver can do.
func (r *Runtime) openCopies(k *core) {
	c := &k.memory.copies
	c.staged = make([]atomic.Uint64, k.devices)
	_, pins := k.drv.(driver.Pinner)
	_, c.tells = k.drv.(driver.Placer)
	mode := r.cfg.Memory.Copy
	if mode != "" && mode != "direct" {
		r.say(fmt.Sprintf("mgpu: MGPU_COPY=%s is not direct; downloads may be staged", mode))
	}
	c.enabled = pins && c.tells && mode != "direct" && k.waiter != nil && r.cfg.FastPath != nil
}

// goesTo asks what a copy writes to. If that is page-locked memory the copy is on its
// way when the call returns, and the program may wait for it by a free.
func (f *frame) goesTo(dst uintptr) driver.Place {
	if !f.k.memory.copies.tells {
		return driver.Pageable
	}
	to := f.placeOf(dst)
	if to == driver.Shared {
		f.k.shared()
	}
	return to
}

// comesFrom reports whether a copy may come from the device to memory of the host's.
func (f *frame) comesFrom(dst, src uintptr) bool {
	return f.k.memory.cache.Find(dst) == nil && f.placeOf(src) == driver.DeviceOnly
}

// landsAt reports whether what comes from the device goes to pageable memory that can
// be written: what can't is the driver's to refuse.
func (f *frame) landsAt(dst uintptr, bytes uint64) bool {
	return f.goesTo(dst) == driver.Pageable && hostmem.Writable(dst, bytes)
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

// stage begins a copy by way of page-locked memory; ok is false where the driver
// has to make it as it is.
func (f *frame) stage(dst, src uintptr, bytes uint64, stream uintptr, s *streampool.Entry) (w Wait, ok bool) {
	if f.k.memory == nil {
		return Wait{}, false
	}
	c := &f.k.memory.copies
	if c.enabled && s != nil && bytes >= leastStaged && bytes <= mostStaged && f.comesFrom(dst, src) &&
		c.trials[trialOf(bytes)].next(now) && !f.capturesOn(stream) {
		return f.stageNow(dst, src, bytes, stream, s)
	}
	f.goesTo(dst)
	return Wait{}, false
}

// pinned gives page-locked memory, nil if there is none; kept: if none is kept.
func (f *frame) pinned(bytes uint64, kept bool) *alloccache.Block {
	b, _, err := f.k.memory.cache.Alloc(f.memory(), alloccache.Request{Kind: alloccache.Pinned, Bytes: bytes, Kept: kept, Row: f.row})
	if err != nil {
		return nil
	}
	return b
}

// pinnedFor is pinned for a copy on a stream that the program does not expect to wait
// for anything else: the driver may page-lock no memory before kernels have ended, and
// one of them may wait for what the program does behind the copy.
func (f *frame) pinnedFor(s *streampool.Entry, bytes uint64) *alloccache.Block {
	b := f.pinned(bytes, true)
	if b == nil && f.alone(s) {
		b = f.pinned(bytes, false)
	}
	return b
}

// unpin gives page-locked memory back that work up to marks uses.
func (f *frame) unpin(b *alloccache.Block, after ...alloccache.Mark) {
	cache := f.k.memory.cache
	if b, _, _ = cache.Hold(b.Ptr(), callNames[f.row]); b == nil {
		return
	}
	if m, o := cache.SettleAfter(f.memory(), b, after...); o == alloccache.Given {
		f.failed(f.memory().Release(m.Kind, m.Device, m.Ptr))
	}
}

// alone reports that no stream but s has work, as far as is known.
func (f *frame) alone(s *streampool.Entry) bool {
	alone := true
	f.k.pool.Streams(func(e *streampool.Entry) bool {
		alone = e == s || !e.Pending()
		return alone
	})
	return alone
}
