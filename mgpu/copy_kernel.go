package mgpu

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// kernelCopies are copies between device memory and page-locked memory that kernels
// make, where the program's user allows that. Where kernels and the copy engine take
// turns on one stream, each hand-over costs more than a small copy.
type kernelCopies struct {
	by    driver.KernelCopier // nil: none are made
	state []atomic.Uint32     // by device
	late  atomic.Bool         // what is to be known of a copy was not as expected once: it is asked first
}

// Copies outside of these bounds are the copy engine's: smaller ones cost as little
// there, larger ones go as fast. Deferred ones, which nobody can time, are from
// leastUntimed on.
const (
	leastByKernel = 16 << 10
	leastUntimed  = 32 << 10
	mostByKernel  = 1 << 20
	oftenCopied   = 256 // copies of one doubling of sizes before a kernel is compiled
)

// The state of a device.
const (
	unprepared = iota
	prepared
	unable
)

// openKernelCopies looks at what the driver can do.
func (c *copies) openKernelCopies(k *core) {
	if by, ok := k.drv.(driver.KernelCopier); ok {
		c.kernels.by, c.kernels.state = by, make([]atomic.Uint32, k.devices)
	}
}

// kernelsServe reports whether kernels may make any copies of so many bytes.
func (f *frame) kernelsServe(bytes uint64) bool {
	m := f.k.memory
	return m.copies.kernels.by != nil && bytes >= leastByKernel && bytes <= mostByKernel && !m.hostSees.Load()
}

// kernelMay reports whether a kernel may copy device memory to or from page-locked
// memory. It may where the copy is of a block of ours, and so of memory that is there.
// And only while no other stream has work: a kernel waits for room on the device, the
// copy engine does not. Nor where the program has memory that host and device both see:
// the room might be taken by a kernel that waits for the host, which waits here. What
// another thread or library submits after that look may still take it: see [copyModes].
func (f *frame) kernelMay(at uintptr, bytes uint64, s *streampool.Entry) bool {
	m := f.k.memory
	if !f.kernelsServe(bytes) || s.Handle() == 0 {
		return false
	}
	b := m.cache.Find(at)
	if b.State() != alloccache.Live || b.Kind() != alloccache.Device || bytes > b.Bytes() || b.Device() != s.Device() {
		return false
	}
	device, err := f.device()
	return err == nil && device == s.Device() && f.alone(s) && f.copierReady(device)
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

// copierReady makes the device, the current one, ready for copies by kernels, unless the
// program captures a stream.
func (f *frame) copierReady(device int) bool {
	c := &f.k.memory.copies.kernels
	if c.state[device].Load() == unprepared && !f.k.capturing(f.meter) {
		restore := f.relax()
		defer restore()
		cell, t0 := f.in()
		state := uint32(prepared)
		if c.by.PrepareKernelCopy() != nil {
			state = unable
		}
		cell.out(t0)
		c.state[device].Store(state)
	}
	return c.state[device].Load() == prepared
}

// copyPinned copies between device memory at an address and page-locked memory, for a
// deferred copy.
func (f *frame) copyPinned(dst, src, device uintptr, bytes uint64, stream uintptr, s *streampool.Entry) error {
	c := &f.k.memory.copies
	if bytes >= leastUntimed && c.trials[trialOf(bytes)].kernel.n.Add(1) >= oftenCopied &&
		f.kernelMay(device, bytes, s) && f.kernelCopy(dst, src, bytes, stream, s) {
		return nil
	}
	err := f.Memcpy(driver.Ptr(dst), driver.Ptr(src), bytes, driver.Stream(stream))
	s.Submitted()
	return err
}

// kernelCopy has a kernel copy. If it can't be launched that is no failure of the
// program's: the driver is to make the copy, or to say why it can't, and kernels make
// none on the device any more.
func (f *frame) kernelCopy(dst, src uintptr, bytes uint64, stream uintptr, s *streampool.Entry) bool {
	c := &f.k.memory.copies
	cell, t0 := f.in()
	err := c.kernels.by.KernelCopy(driver.Ptr(dst), driver.Ptr(src), bytes, driver.Stream(stream))
	cell.out(t0)
	s.Submitted()
	if err != nil {
		c.kernels.state[s.Device()].Store(unable)
		return false
	}
	c.byKernel.Add(1)
	return true
}
