package mgpu

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// openMemory makes the cache of device memory, unless the settings or the driver exclude it.
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
	m := &memory{fill: fill, freeAtOpen: make([]atomic.Uint64, k.devices), foreign: k.pool.AddQueue(-1, streampool.ForeignStreams),
		waits: make([][waitReasons]atomic.Uint64, k.devices), checkpoints: map[*streampool.Entry]checkpoint{}}
	for i := range k.devices {
		m.abandoned = append(m.abandoned, k.pool.AddQueue(i, streampool.DestroyedStreams))
	}
	_, inC := r.cFunctions(k)
	fastPath := !exact && fill == noFill && inC && k.devices == 1
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
		Policy: alloccache.Policy{Limit: func(device int) uint64 {
			all := limit(m.freeAtFirstUse(k.drv, device))
			if !fastPath {
				return all
			}
			if m.listLimit.Load() == 0 {
				m.listLimit.CompareAndSwap(0, all/alloccache.ListedShare)
			}
			return all - all/alloccache.ListedShare
		}},
	})
	m.scratch = m.cache.NewScratch()
	_, m.knowsPlaces = k.drv.(driver.Placer)
	if r.cfg.CheckFrees != nil {
		m.mixesFrees()
	}
	k.memory = m
	if fastPath {
		r.cfg.FastPath.OfferMemory(m.offer())
	}
}

// memorySettings parses the settings. A wrong setting gets its default.
func (r *Runtime) memorySettings(devices int) (fill Fill, limit func(free uint64) uint64) {
	c := r.cfg.Memory
	fill = fills[c.Fill] // unknown words mean no fill
	l, ok := settings.ParseLimit(c.Limit)
	if !ok { // or it is empty
		l.Share = 0.5
	}
	if c.Limit == "" && r.cfg.Sharing != nil {
		l.Share /= float64(max(1, r.cfg.Sharing(devices)))
	}
	return fill, func(free uint64) uint64 { return l.Bytes + uint64(float64(free)*l.Share) }
}
