package mgpu

import (
	"slices"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Allocations are made at once and don't end the recording. Memory both allocated and freed within a recording is not returned to the cache, since each
// launch of the graph uses it: the graph holds the memory until it does something else, and
// the next recording of the key gets the same blocks.

// regionBlock is memory allocated within a recording, or held by a graph.
type regionBlock struct {
	ptr    uintptr
	bytes  uint64
	freed  bool // freed by the program
	reused bool // in a recording: the graph held the block before; in a graph: the recording under way uses the block
}

// RecordAlloc allocates device memory within a recording. With over set the recording has
// ended and the caller allocates.
func (r *Runtime) RecordAlloc(id uintptr, bytes uint64, from Origin) (ptr uintptr, over bool) {
	still := r.inRecording(id, func(rec *recorder) string {
		f := rec.frameFor(memAlloc)
		m := f.k.memory
		if bytes == 0 {
			return ""
		}
		if m == nil || rec.callByCall || m.fill != noFill {
			return "mgpuMemAlloc can't be recorded"
		}
		if device, err := f.device(); err != nil || device != rec.device {
			return "memory of another device can't be recorded"
		}
		q := alloccache.Request{Device: rec.device, Kind: alloccache.Device, Bytes: bytes, Call: f.call, Site: from.Site,
			Session: m.cache.SessionOf(from.Session)}
		block := regionBlock{ptr: rec.reuseBlock(m, q), bytes: bytes}
		if block.reused = block.ptr != 0; !block.reused {
			m.freeAtFirstUse(f.k, rec.device)
			b, o, err := m.cache.Alloc(f.memory(), q)
			if err != nil { // executing the recording returns freed memory
				return "there is no memory for an allocation while the graph holds what was freed"
			}
			if o == alloccache.Allocated {
				f.countMiss()
			}
			block.ptr = b.Ptr()
		}
		ptr = block.ptr
		rec.blocks = append(rec.blocks, block)
		return ""
	})
	return ptr, !still
}

// reuseBlock returns a block of the same size that the graph holds, zero if there is none. A
// repeated recording gets the same blocks in the same order.
func (rec *recorder) reuseBlock(m *memory, q alloccache.Request) uintptr {
	k := rec.graph
	k.lock()
	defer k.mu.Unlock()
	for i := range k.blocks {
		next := (rec.nextBlock + i) % len(k.blocks)
		block := &k.blocks[next]
		if block.reused || block.bytes != q.Bytes {
			continue
		}
		if b := m.cache.Find(block.ptr); b != nil && b.Device() == q.Device && m.cache.Again(b, q) {
			block.reused = true
			rec.nextBlock = next + 1
			return block.ptr
		}
	}
	return 0
}

func (rec *recorder) blockAt(ptr uintptr) *regionBlock {
	for i := len(rec.blocks) - 1; i >= 0; i-- {
		if rec.blocks[i].ptr == ptr {
			return &rec.blocks[i]
		}
	}
	return nil
}

// RecordFree frees memory that was allocated in the same recording.
func (r *Runtime) RecordFree(id, ptr uintptr) bool {
	return r.inRecording(id, func(rec *recorder) string {
		f := rec.frameFor(memFree)
		block := rec.blockAt(ptr)
		if block == nil || block.freed || !rec.recordWaitOfFree(f) {
			return "mgpuMemFree can't be recorded"
		}
		if rec.ended {
			return ""
		}
		b, _, err := f.k.memory.cache.Hold(ptr, callNames[memFree])
		f.failed(err)
		block.freed = b != nil
		return ""
	})
}

// recordWaitOfFree waits for the device where the program may rely on the wait of a free (see
// waitBeforeFree), and has the recording's end wait again for the recorded work. false: the
// free can't be recorded.
func (rec *recorder) recordWaitOfFree(f *frame) bool {
	switch f.waitReason(rec.device) {
	case noReason:
		return true
	case hostShared:
		if _, rec.waitsForDevice = f.k.drv.(driver.DeviceSynchronizer); rec.waitsForDevice && !f.k.capturesAny(f.meter) {
			rec.waitForDevice(f)
		}
		return rec.waitsForDevice
	}
	return false
}

// makeWaitsOfFrees waits for the device if a recorded free asked for that.
func (rec *recorder) makeWaitsOfFrees(f *frame) {
	if rec.waitsForDevice && !f.k.capturesAny(f.meter) {
		f.failed(f.synchronizeDevice(f.k.drv.(driver.DeviceSynchronizer), rec.device))
	}
}

// settleBlocks ends the use of the recording's blocks. committed: the graph now does the
// recorded calls; it holds the blocks freed in them and releases those of before. rec.graph.mu
// is held.
func (rec *recorder) settleBlocks(f *frame, committed bool) {
	k := rec.graph
	for _, block := range rec.blocks {
		switch {
		case block.reused && !block.freed: // an earlier launch of the graph may still use the block
			k.waitForLaunches(f)
		case !block.reused && block.freed && !committed:
			f.releaseBlock(block.ptr)
		}
	}
	if committed {
		k.releaseUnusedBlocks(f)
		k.blocks = k.blocks[:0]
		for _, block := range rec.blocks {
			if block.freed {
				k.blocks = append(k.blocks, regionBlock{ptr: block.ptr, bytes: block.bytes})
			}
		}
	} else {
		k.blocks = slices.DeleteFunc(k.blocks, func(block regionBlock) bool { return block.reused && !rec.blockAt(block.ptr).freed })
		for i := range k.blocks {
			k.blocks[i].reused = false
		}
	}
	rec.blocks = rec.blocks[:0]
}

// releaseUnusedBlocks returns the memory of the calls that the graph did before it changed, but
// for what a recording under way uses.
func (k *regionGraph) releaseUnusedBlocks(f *frame) {
	k.blocks = slices.DeleteFunc(k.blocks, func(block regionBlock) bool {
		if !block.reused {
			f.releaseBlock(block.ptr)
		}
		return !block.reused
	})
}

// waitForLaunches waits for the graph's launches.
func (k *regionGraph) waitForLaunches(f *frame) {
	e := f.k.pool.Find(uintptr(k.lastStream))
	if !e.Pending() || !e.Pin() {
		return
	}
	defer e.Unpin()
	covered := e.Submissions()
	if !f.failed(f.meter.StreamSynchronize(k.lastStream)) {
		e.Synchronized(covered)
	}
}

// releaseBlock returns a graph's block to the cache, behind all submitted work. Work on
// foreign and destroyed streams is unknown to the cache: the driver's free waits for it.
func (f *frame) releaseBlock(ptr uintptr) {
	m := f.k.memory
	b := m.cache.Find(ptr)
	if b == nil {
		return
	}
	var gone alloccache.Memory
	o := alloccache.Given
	if m.foreign.Pending() || m.abandoned[b.Device()].Pending() {
		gone, _ = m.cache.GiveUp(b)
	} else {
		gone, o = m.cache.Settle(f.memory(), b)
	}
	if o == alloccache.Given {
		f.failed(f.memory().Release(gone.Kind, gone.Device, gone.Ptr))
	}
}
