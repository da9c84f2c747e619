package mgpu

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// memory is what a core keeps of device memory.
type memory struct {
	cache      *alloccache.Cache
	scratch    *alloccache.Scratch
	downloads  downloads
	level      alloccache.Level
	fill       Fill
	freeAtOpen []atomic.Uint64 // free bytes by device; zero: not asked yet

	// Work that no stream of the pool accounts for: of streams of other libraries, once
	// the program has passed one, and by device of streams that were destroyed with work
	// pending.
	foreign   *streampool.Entry
	abandoned []*streampool.Entry

	foreignCapture atomic.Bool // the program captured a foreign stream when it was seen last
	sharedWithHost atomic.Bool // the program has memory that it shares with devices

	waits [][waitReasons]atomic.Uint64 // frees that waited for a device, by it

	mu          sync.Mutex
	checkpoints map[*streampool.Entry]checkpoint
	strays      []checkpoint
}

// openMemory makes the cache of device memory.
func (r *Runtime) openMemory(k *core) {
	c := r.cfg.Memory
	if !k.cached || c.Level == "off" {
		return
	}
	exact := false
	if d, ok := k.drv.(driver.MemoryChecker); ok {
		ends, lives := d.ChecksMemory()
		if lives && c.Level == "" {
			return
		}
		exact = ends
	}
	level, fill, limit := r.memorySettings()
	m := &memory{level: level, fill: fill, freeAtOpen: make([]atomic.Uint64, k.devices), foreign: k.pool.AddQueue(-1, true),
		waits: make([][waitReasons]atomic.Uint64, k.devices), checkpoints: map[*streampool.Entry]checkpoint{}}
	for i := range k.devices {
		m.abandoned = append(m.abandoned, k.pool.AddQueue(i, false))
	}
	fastPath := !exact && level == alloccache.Strict && fill == noFill && r.cfg.FastPath != nil && r.fastPathAllocates(k)
	var lists alloccache.FreeLists
	if fastPath {
		lists = r.cfg.FastPath
	}
	m.cache = alloccache.New(alloccache.Config{
		Level: level, Devices: k.devices, Pending: k.pendingMarks, PendingOn: k.pendingMarksOn, FreeLists: lists, Quick: fastPath, Now: now, Exact: exact,
		Failed: func(err error) { r.report(callNames[memFree], err) },
		Limit:  func(device int) uint64 { return limit(m.freeAtFirstUse(k, device)) },
	})
	m.scratch = m.cache.NewScratch()
	k.memory = m
	r.openDownloads(k)
	if fastPath {
		places, count := k.pool.Roster()
		r.cfg.FastPath.OfferMemory(MemoryOffer{places, count, now(), memAlloc})
	}
}

// unknownFree is what is taken for free where the driver does not tell.
const unknownFree = 8 << 30

// freeAtFirstUse is how many bytes were free on a device when it was asked for first, which
// is before the first allocation.
func (m *memory) freeAtFirstUse(k *core, device int) uint64 {
	if v := m.freeAtOpen[device].Load(); v != 0 {
		return v
	}
	free := uint64(unknownFree)
	if i, ok := k.drv.(driver.MemInformer); ok {
		if v, _, err := i.MemInfo(); err == nil && v != 0 {
			free = v
		}
	}
	m.freeAtOpen[device].CompareAndSwap(0, max(1, free))
	return m.freeAtOpen[device].Load()
}

// noteShared notes that the program gets memory that it sees without a further call.
func (k *core) noteShared() {
	if m := k.memory; m != nil && !m.sharedWithHost.Load() {
		m.sharedWithHost.Store(true)
	}
}

// fastPathAllocates reports whether C code may keep free blocks by itself.
func (r *Runtime) fastPathAllocates(k *core) bool {
	d, ok := k.drv.(driver.Direct)
	return ok && r.cfg.Direct && !r.cfg.Timing && k.devices == 1 && d.Direct().LaunchKernel != 0
}
