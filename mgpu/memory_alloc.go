package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Origin says who allocates.
type Origin struct {
	Site    uintptr // return address in the program; zero: unknown
	Session uintptr // innermost open session of the thread, from [Runtime.AllocCacheBegin]; zero: none
}

// MemAlloc allocates device memory or, if shared is set and stream is null, managed memory.
// Zero bytes give zero.
func (r *Runtime) MemAlloc(bytes uint64, stream uintptr, shared bool, from Origin) uintptr {
	f, ok := r.enter(memAlloc)
	if !ok {
		return 0
	}
	defer f.leave()
	if bytes == 0 {
		f.counters.others.Add(1)
		return 0
	}
	f.noticeReset()
	kind := alloccache.Device
	if shared && stream == 0 {
		kind = alloccache.Managed
		f.k.memory.noteShared()
	}
	return f.alloc(kind, bytes, stream, from)
}

// alloc allocates memory of the current device, and reports a failure.
func (f *frame) alloc(kind alloccache.Kind, bytes uint64, stream uintptr, from Origin) uintptr {
	m := f.k.memory
	if m == nil {
		p, err := f.memory().Allocate(kind, bytes)
		if f.rejected(err) {
			return 0
		}
		f.countMiss()
		f.noteSite(p, from.Site)
		return uintptr(p)
	}
	device, err := f.device()
	if f.rejected(err) {
		return 0
	}
	q := alloccache.Request{Device: device, Kind: kind, Bytes: bytes, Call: f.call, Site: from.Site}
	m.freeAtFirstUse(f.k.drv, device)
	if from.Session != 0 {
		q.Session = m.cache.SessionOf(from.Session)
	}
	b, o, err := m.cache.Alloc(f.memory(), q)
	if f.rejected(err) {
		return 0
	}
	if o == alloccache.Allocated {
		f.countMiss()
		f.watchReset(device)
	}
	f.noteSite(driver.Ptr(b.Ptr()), from.Site)
	f.traceMemory(device)
	if m.fill != noFill {
		f.failed(f.overwrite(b, m.fill, stream))
	}
	return b.Ptr()
}

// noteSite tells the driver where the program allocated a block, if it wants to know.
func (f *frame) noteSite(p driver.Ptr, site uintptr) {
	if f.k.sites != nil && site != 0 {
		f.k.sites.AllocatedAt(p, site)
	}
}

// overwrite fills a block before the program gets it, after the stream's earlier work.
func (f *frame) overwrite(b *alloccache.Block, with Fill, stream uintptr) error {
	on := driver.Stream(0)
	if e := f.k.pool.FindStream(stream); e != nil && !e.Stale() {
		on = driver.Stream(stream)
	}
	if f.k.capturesAny(f.meter) || f.capturesStream(on) {
		return nil
	}
	p, whole := driver.Ptr(b.Ptr()), b.Bytes()&^3
	if whole != 0 {
		if err := f.Memset32(p, with.word(), whole/4, on); err != nil {
			return err
		}
	}
	if rest := b.Bytes() - whole; rest != 0 {
		if err := f.Memcpy(p+driver.Ptr(whole), driver.Ptr(addressOfBytes(patterns[with][:])), rest, on); err != nil {
			return err
		}
	}
	return f.StreamSynchronize(on)
}
