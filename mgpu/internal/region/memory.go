package region

import (
	"slices"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Allocations are made at once and don't end the recording. Memory that is allocated and freed within one recording is
// not returned to the cache, since each launch of the graph uses it. The graph holds this memory until it is changed to
// other work, and the next recording of the key gets the same blocks.

// block is memory that was allocated within a recording or is held by a graph.
type block struct {
	ptr    uintptr
	bytes  uint64
	freed  bool // freed by the program
	reused bool // in a recording: the graph held the block before; in a graph: a recording in progress uses the block
}

// RecordAlloc allocates device memory within a recording. If over is true, the recording has ended and the caller
// allocates.
func (r *Regions) RecordAlloc(id uintptr, bytes uint64, site, session uintptr) (ptr uintptr, over bool) {
	still := r.inRecording(id, func(rec *recorder) string {
		c := rec.on(MemAlloc)
		if bytes == 0 {
			return ""
		}
		if !rec.commands.records() || !c.RecordsMemory() {
			return "mgpuMemAlloc can't be recorded"
		}
		if device, err := c.CurrentDevice(); err != nil || device != rec.device {
			return "memory of another device can't be recorded"
		}
		q := c.Request(alloccache.Request{Device: rec.device, Kind: alloccache.Device, Bytes: bytes, Site: site}, session)
		b := block{ptr: rec.reuseBlock(c, q), bytes: bytes}
		if b.reused = b.ptr != 0; !b.reused {
			var err error
			if b.ptr, err = c.Alloc(q); err != nil { // executing the recording returns freed memory
				return "there is no memory for an allocation while the graph holds what was freed"
			}
		}
		ptr = b.ptr
		rec.blocks = append(rec.blocks, b)
		return ""
	})
	return ptr, !still
}

// reuseBlock returns a block of the same size that the graph holds; zero if there is none. A repeated recording gets
// the same blocks in the same order.
func (rec *recorder) reuseBlock(c Calls, q alloccache.Request) uintptr {
	k := rec.graph
	k.lock()
	defer k.mu.Unlock()
	for i := range k.blocks {
		next := (rec.nextBlock + i) % len(k.blocks)
		b := &k.blocks[next]
		if b.reused || b.bytes != q.Bytes {
			continue
		}
		if c.AllocAgain(b.ptr, q) {
			b.reused = true
			rec.nextBlock = next + 1
			return b.ptr
		}
	}
	return 0
}

func (rec *recorder) blockAt(ptr uintptr) *block {
	for i := len(rec.blocks) - 1; i >= 0; i-- {
		if rec.blocks[i].ptr == ptr {
			return &rec.blocks[i]
		}
	}
	return nil
}

// RecordFree frees memory that was allocated in the same recording. Work recorded after the free follows all work
// recorded before, as with the driver's free.
func (r *Regions) RecordFree(id, ptr uintptr) bool {
	return r.inRecording(id, func(rec *recorder) string {
		c := rec.on(MemFree)
		b := rec.blockAt(ptr)
		if b == nil || b.freed || !rec.recordWaitOfFree(c) {
			return "mgpuMemFree can't be recorded"
		}
		if rec.state != open {
			return ""
		}
		if b.freed = c.Hold(ptr); b.freed {
			rec.rec.Free()
			rec.frees = true
			c.NoteFree(rec.device)
		}
		return ""
	})
}

// recordWaitOfFree waits for the device if the program may rely on the wait of a free (see memory.FreeWaits). It also
// makes the recording's end wait again, for the recorded work. It returns false if the free can't be recorded.
func (rec *recorder) recordWaitOfFree(c Calls) bool {
	waits, known := c.FreeWaits(rec.device)
	if !waits || !known {
		return known
	}
	if _, rec.waitsForDevice = c.Driver().(driver.DeviceSynchronizer); rec.waitsForDevice && !c.CapturesAny() {
		rec.waitForDevice(c)
	}
	return rec.waitsForDevice
}

// makeWaitsOfFrees waits for the device if a recorded free needs that.
func (rec *recorder) makeWaitsOfFrees(c Calls) {
	if rec.waitsForDevice && !c.CapturesAny() {
		c.Failed(c.SynchronizeDevice(rec.device))
	}
}

// settleBlocks ends the use of the recording's blocks. committed: the graph now executes the recorded calls; it holds
// the blocks that were freed in them and releases its earlier blocks. The caller has locked rec.graph.mu.
func (rec *recorder) settleBlocks(c Calls, committed bool) {
	k := rec.graph
	for _, b := range rec.blocks {
		switch {
		case b.reused && !b.freed: // an earlier launch of the graph may still use the block
			k.waitForLaunches(c)
		case !b.reused && b.freed && !committed:
			c.Release(b.ptr)
		}
	}
	if committed {
		k.releaseUnusedBlocks(c)
		k.blocks = k.blocks[:0]
		for _, b := range rec.blocks {
			if b.freed {
				k.blocks = append(k.blocks, block{ptr: b.ptr, bytes: b.bytes})
			}
		}
	} else {
		k.blocks = slices.DeleteFunc(k.blocks, func(b block) bool { return b.reused && !rec.blockAt(b.ptr).freed })
		for i := range k.blocks {
			k.blocks[i].reused = false
		}
	}
	rec.blocks = rec.blocks[:0]
}

// releaseUnusedBlocks returns the memory of the calls that the graph executed before it changed, except for what a
// recording in progress uses.
func (k *graph) releaseUnusedBlocks(c Calls) {
	k.blocks = slices.DeleteFunc(k.blocks, func(b block) bool {
		if !b.reused {
			c.Release(b.ptr)
		}
		return !b.reused
	})
}

// waitForLaunches waits for the graph's launches.
func (k *graph) waitForLaunches(c Calls) {
	if e := c.Pool().Find(uintptr(k.lastStream)); e.Pending() {
		c.Failed(c.Await(e))
	}
}
