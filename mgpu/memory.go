package mgpu

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// memory is the state of device memory that the library caches.
type memory struct {
	cache       *alloccache.Cache
	scratch     *alloccache.Scratch
	knowsPlaces bool // the driver tells what lies at an address
	addresses   copyAddresses
	fill        Fill
	freeAtOpen  []atomic.Uint64 // bytes free before the first allocation, by device; zero: not asked yet
	listLimit   atomic.Uint64   // bytes that threads' free lists may hold; zero: not known yet

	// Stand for work that no stream of the pool accounts for: foreign for streams of other
	// libraries that the program has passed, abandoned[device] for streams destroyed with work
	// pending.
	foreign   *streampool.Entry
	abandoned []*streampool.Entry

	foreignCapture atomic.Bool     // the foreign stream seen last was being captured
	extents        driver.Extenter // nil: the driver can't tell
	asksExtents    atomic.Bool     // frees ask the driver whether it still has the block
	sharedWithHost atomic.Bool     // the program has memory that host and device share, or kernels that print

	waits [][waitReasons]atomic.Uint64 // frees that waited for the device, by device and reason

	mu          sync.Mutex
	checkpoints map[*streampool.Entry]checkpoint
	strays      []checkpoint
}

// openMemory makes the cache of device memory, unless settings or driver forbid one.
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
	fill, limit := r.memorySettings(k.devices)
	m := &memory{fill: fill, freeAtOpen: make([]atomic.Uint64, k.devices), foreign: k.pool.AddQueue(-1, true),
		waits: make([][waitReasons]atomic.Uint64, k.devices), checkpoints: map[*streampool.Entry]checkpoint{}}
	for i := range k.devices {
		m.abandoned = append(m.abandoned, k.pool.AddQueue(i, false))
	}
	fastPath := !exact && fill == noFill && r.cfg.FastPath != nil && r.fastPathAllocates(k)
	var lists alloccache.FreeLists
	if fastPath {
		lists = r.cfg.FastPath
	}
	m.extents, _ = k.drv.(driver.Extenter)
	m.cache = alloccache.New(alloccache.Config{
		Devices: k.devices, Pending: k.pendingMarks, FreeLists: lists, Quick: fastPath, Now: now, Exact: exact,
		Failed:   func(err error) { r.report(callNames[memFree], err) },
		Flushed:  r.traceFlush,
		Replaced: m.mixesFrees, Trusts: m.extents == nil,
		Limit: func(device int) uint64 {
			all := limit(m.freeAtFirstUse(k, device))
			if !fastPath {
				return all
			}
			if m.listLimit.Load() == 0 {
				m.listLimit.CompareAndSwap(0, all/listedShare)
			}
			return all - all/listedShare
		},
	})
	m.scratch = m.cache.NewScratch()
	_, m.knowsPlaces = k.drv.(driver.Placer)
	if r.cfg.CheckFrees != nil {
		m.mixesFrees()
	}
	k.memory = m
	if fastPath {
		r.cfg.FastPath.OfferMemory(m.offer(k))
	}
}

// One of so many bytes of the limit is the threads' free lists', which C keeps; they may hold
// some more while threads start, whose number divides it.
const listedShare = 16

// unknownFree stands for a device's free memory where the driver can't tell.
const unknownFree = 8 << 30

// freeAtFirstUse returns how many bytes of a device were free before the first allocation.
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

// noteShared notes that the program gets memory that the host reads without an mgpu call, or a
// kernel whose output it gets so.
func (k *core) noteShared() {
	if m := k.memory; m != nil && !m.sharedWithHost.Load() {
		m.sharedWithHost.Store(true)
	}
}

// fastPathAllocates reports whether C may cache free blocks.
func (r *Runtime) fastPathAllocates(k *core) bool {
	d, ok := k.drv.(driver.CCaller)
	return ok && r.cfg.CallsInC && k.devices == 1 && d.CFunctions().LaunchKernel != 0
}
