package mgpu

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// staged is a copy from the device that C makes in three steps: the driver's copy
// to page-locked memory, the wait for it, and the rest. Config.StagedCopy is the
// function that does that; it takes the address of the record.
type staged struct {
	Copy, Wait  driver.Blocking
	Dst, Pinned uintptr
	Bytes       uint64

	block *alloccache.Block // nil: the driver makes the copy, for comparison
	size  int               // which trial
	timed bool
	begun int64
	taken bool
}

// trial finds out, for copies of one doubling of sizes, whether page-locked memory is
// the faster way here: a few copies of each kind are timed, and the shortest counts.
type trial struct {
	direct, staged atomic.Int64 // shortest times in nanoseconds
	n              atomic.Uint32
}

const (
	trialsEach = 4
	trialsAll  = 2 * trialsEach
)

// trialOf is which trial is of copies of so many bytes.
func trialOf(bytes uint64) int {
	size := 0
	for bytes>>(leastStagedLog+1+size) != 0 {
		size++
	}
	return min(size, stagedBits-1)
}

// lost reports that the driver's own way was found to be faster.
func (t *trial) lost() bool { return t.n.Load() >= trialsAll && !t.won() }

// won reports that page-locked memory is faster by an eighth at least: what a little
// gains in the copy is lost in the wait that follows, which the driver's own copy makes
// shorter.
func (t *trial) won() bool { return t.staged.Load() < t.direct.Load()*7/8 }

// next tells whether the next copy is to be staged, and whether it is a trial.
func (t *trial) next() (stage, timed bool) {
	if n := t.n.Load(); n < trialsAll {
		n = t.n.Add(1) - 1
		return n%2 == 1, true
	}
	return t.won(), false
}

// shortest notes a time if it is the shortest so far.
func shortest(best *atomic.Int64, ns int64) {
	for {
		b := best.Load()
		if b != 0 && b <= ns || best.CompareAndSwap(b, max(1, ns)) {
			return
		}
	}
}

// stageNow begins a staged copy that has arrived when the call returns.
func (f *frame) stageNow(dst, src uintptr, bytes uint64, stream uintptr, s *streampool.Entry) (w Wait, ok bool) {
	c := &f.k.memory.copies
	size := trialOf(bytes)
	stage, timed := c.trials[size].next()
	if !stage && !timed {
		return Wait{}, false
	}
	var b *alloccache.Block
	if stage {
		if b = f.pinned(bytes); b == nil {
			return Wait{}, false
		}
	}
	number, r := c.record()
	r.block, r.size, r.timed = b, size, timed
	if timed {
		r.begun = now()
	}
	w = Wait{Handle: stream, Record: uintptr(number)}
	if !stage {
		w.Blocking = f.k.waiter.WaitCopy(driver.Ptr(dst), driver.Ptr(src), bytes, driver.Stream(stream))
		return f.begun(w), true
	}
	r.Copy = f.k.waiter.WaitCopy(driver.Ptr(b.Ptr()), driver.Ptr(src), bytes, driver.Stream(stream))
	r.Wait = f.k.waiter.WaitStream(driver.Stream(stream))
	r.Dst, r.Pinned, r.Bytes = dst, b.Ptr(), bytes
	c.staged.Add(1)
	f.c.driverCalls.Add(1) // begun counts the other one
	w.Count = s.Submissions()
	w.Blocking = driver.Blocking{Fn: f.r.cfg.StagedCopy, Arg: [5]uintptr{r.address()}}
	return f.begun(w), true
}

// stagedNow ends what stageNow began.
func (f *frame) stagedNow(w Wait, done bool) {
	c := &f.k.memory.copies
	c.mu.Lock()
	r := c.records[w.Record-1]
	b, began, timed, t := r.block, r.begun, r.timed, &c.trials[r.size]
	r.block, r.taken = nil, false
	c.mu.Unlock()
	ns := now() - began
	if b == nil {
		f.submitted(w.Handle)
		if timed && done {
			shortest(&t.direct, ns)
		}
		return
	}
	if timed && done {
		shortest(&t.staged, ns)
	}
	if done {
		f.synchronized(w.Handle, w.Count)
		f.unpin(b)
		return
	}
	f.submitted(w.Handle)
	f.unpin(b, f.k.pending(nil)...)
}

// record takes a record that nobody uses, and its number from 1 on.
func (c *copies) record() (int, *staged) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, r := range c.records {
		if !r.taken {
			r.taken = true
			return i + 1, r
		}
	}
	r := &staged{taken: true}
	c.records = append(c.records, r)
	return len(c.records), r
}
