package alloccache

import "fmt"

// Usage is what there is of one kind of memory on one device, in bytes, and what
// happened.
type Usage struct {
	Reserved uint64 // the driver gave and has not got back
	Live     uint64 // the program's
	Cached   uint64 // free, in scopes too, or waiting
	Peak     uint64 // the most that was live; what lay in threads' freeLists counts as live

	Reused    uint64 // allocations answered with a free block, without those of C code
	Covered   uint64 // with a block that had been waiting
	Allocated uint64 // by the driver
	Deferred  uint64 // frees while work was pending: the block waits for it
	Waited    uint64 // allocations in scopes that waited for a block
	Released  uint64 // blocks given back to the driver
	Flushes   uint64 // times that everything was, for want of memory
	Queries   uint64 // questions to the driver whether work is done
}

// Plus is both together; the peaks may not have been at the same time.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Reserved: u.Reserved + v.Reserved, Live: u.Live + v.Live, Cached: u.Cached + v.Cached, Peak: u.Peak + v.Peak,
		Reused: u.Reused + v.Reused, Covered: u.Covered + v.Covered, Allocated: u.Allocated + v.Allocated,
		Deferred: u.Deferred + v.Deferred, Waited: u.Waited + v.Waited, Released: u.Released + v.Released,
		Flushes: u.Flushes + v.Flushes, Queries: u.Queries + v.Queries,
	}
}

// Usage returns what there is; zeros for a device that does not exist.
func (c *Cache) Usage(k Kind, device int) Usage {
	if !c.known(device) || k >= kinds {
		return Usage{}
	}
	s := &c.shelves[k][device]
	u := Usage{
		Reserved: s.reserved.Load(), Cached: s.bytes() + s.scoped.Load(), Peak: s.peak.Load(),
		Reused: s.counts.reused.Load(), Covered: s.counts.covered.Load(), Allocated: s.counts.allocated.Load(),
		Deferred: s.counts.deferred.Load(), Waited: s.counts.scopeWaits.Load(), Released: s.counts.released.Load(),
		Flushes: s.counts.flushes.Load(), Queries: s.counts.queries.Load(),
	}
	if k == Device {
		c.cfg.FreeLists.Each(func(ptr uintptr) {
			if b := c.table.Find(ptr); b != nil && b.State() == Listed && int(b.dev) == device {
				u.Cached += b.bytes
			}
		})
	}
	u.Live = u.Reserved - min(u.Reserved, u.Cached)
	return u
}

// shortage says what there is when there is not enough.
func shortage(bytes uint64, u Usage) string {
	return fmt.Sprintf("%d bytes wanted, %d in use, %d cached, %d at most so far", bytes, u.Live, u.Cached, u.Peak)
}

// Seen is a block as a snapshot has it.
type Seen struct {
	Ptr         uintptr
	Bytes       uint64 // the driver gave
	Asked       uint64 // the program asked for, last
	Kind        Kind
	Device      int
	State       State
	Scoped      bool
	Row         int     // the mgpu function that allocated it last
	Site        uintptr // where the program did
	Nanoseconds int64   // since it was given out or freed
}

// Each calls f for every block. Calls under way may be seen in part.
func (c *Cache) Each(f func(Seen)) {
	now := c.cfg.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.blocks {
		f(Seen{
			Ptr: b.ptr, Bytes: b.bytes, Asked: b.asked.Load(), Kind: b.kind, Device: int(b.dev), State: b.State(),
			Scoped: b.home.Load() != nil, Row: int(b.row.Load()), Site: b.site.Load(), Nanoseconds: max(0, now-b.stamp.Load()),
		})
	}
}
