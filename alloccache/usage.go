package alloccache

import "fmt"

// Usage has the bytes of one kind of memory on one device, and counts of events.
type Usage struct {
	Reserved uint64 // allocated by the driver and not released
	Live     uint64 // in use by the program
	Cached   uint64 // free, also in scopes, or waiting
	Peak     uint64 // the most live bytes so far; blocks on threads' free lists count as live

	// These do not count what C code did:
	Reused    uint64 // allocations served with a free block
	Covered   uint64 // allocations served with a waiting block
	Allocated uint64 // allocations made by the driver
	Deferred  uint64 // frees while work was pending: the block waits for it
	Waited    uint64 // allocations in scopes that waited for a block
	Released  uint64 // blocks released to the driver
	Flushes   uint64 // flushes for lack of memory
	Queries   uint64 // queries whether a mark is reached
}

// Plus returns the sum of both. The sum of the peaks is an upper bound of the common peak.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Reserved: u.Reserved + v.Reserved, Live: u.Live + v.Live, Cached: u.Cached + v.Cached, Peak: u.Peak + v.Peak,
		Reused: u.Reused + v.Reused, Covered: u.Covered + v.Covered, Allocated: u.Allocated + v.Allocated,
		Deferred: u.Deferred + v.Deferred, Waited: u.Waited + v.Waited, Released: u.Released + v.Released,
		Flushes: u.Flushes + v.Flushes, Queries: u.Queries + v.Queries,
	}
}

// Usage returns the usage of a kind and device; zeros for a device that does not exist.
func (c *Cache) Usage(k Kind, device int) Usage {
	if !c.validDevice(device) || k >= kinds {
		return Usage{}
	}
	s := &c.bins[k][device]
	u := Usage{
		Reserved: s.reserved.Load(), Cached: s.bytes() + s.scoped.Load(), Peak: s.peak.Load(),
		Reused: s.counts.reused.Load(), Covered: s.counts.covered.Load(), Allocated: s.counts.allocated.Load(),
		Deferred: s.counts.deferred.Load(), Waited: s.counts.scopeWaits.Load(), Released: s.counts.released.Load(),
		Flushes: s.counts.flushes.Load(), Queries: s.counts.queries.Load(),
	}
	if k == Device {
		u.Cached += c.listed(device)
	}
	u.Live = u.Reserved - min(u.Reserved, u.Cached)
	return u
}

// listed returns the bytes on the threads' free lists. It holds the lock so that addBlock reuses no Block meanwhile: C
// reads a listed Block's address after the list, and by then another thread may have released the block.
func (c *Cache) listed(device int) (bytes uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cfg.FreeLists.Each(func(ptr uintptr) {
		if b := c.table.Find(ptr); b != nil && b.State() == Listed && int(b.dev) == device {
			bytes += b.bytes
		}
	})
	return bytes
}

// shortage describes the memory in use, for an out-of-memory error.
func shortage(bytes uint64, u Usage) string {
	return fmt.Sprintf("%d bytes wanted, %d in use, %d cached, %d at most so far", bytes, u.Live, u.Cached, u.Peak)
}

// Seen describes a block at the time of a snapshot.
type Seen struct {
	Ptr         uintptr
	Bytes       uint64 // size
	Asked       uint64 // bytes requested last
	Kind        Kind
	Device      int
	State       State
	Scoped      bool
	Call        int     // number of the mgpu function that allocated it last
	Site        uintptr // return address of that allocation
	Nanoseconds int64   // since the last allocation or free
}

// Each calls f for every block. A block that another thread changes meanwhile may be reported inconsistently.
func (c *Cache) Each(f func(Seen)) {
	now := c.cfg.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.blocks {
		state := b.State()
		if state == Listed && b.waitsFor.Load() != 0 {
			state = Waiting
		}
		f(Seen{
			Ptr: b.ptr, Bytes: b.bytes, Asked: b.asked.Load(), Kind: b.kind, Device: int(b.dev), State: state,
			Scoped: b.scope.Load() != nil, Call: int(b.call.Load()), Site: b.site.Load(), Nanoseconds: max(0, now-b.stamp.Load()),
		})
	}
}
