package hsa

import (
	"errors"
	"strings"
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// Offsets in hsa_kernel_dispatch_packet_t.
const (
	setupAt   = 2 // how many axes
	blockAt   = 4 // three 16-bit numbers
	gridAt    = 12
	privateAt = 24
	groupAt   = 28
	objectAt  = 32
	kernargAt = 40
)

// errDestroyed ends the kernel of a queue that is being destroyed.
var errDestroyed = errors.New("the queue is being destroyed")

// dispatch runs the kernel of a packet to its end.
func (q *queue) dispatch(at, index uint64) outcome {
	d := emu.Dispatch{Mem: q.view, Kernarg: load64(at + kernargAt), Packet: at, Queue: q.amd, ID: index, GWS: q.gws.Load(), Serve: q.serve, Timeout: q.gpu.system.timeout}
	if o := shape(&d, at, index); o.err != nil {
		return o
	}
	key := kernelKey{object: load64(at + objectAt), private: load32(at + privateAt), group: load32(at + groupAt)}
	if most := q.gpu.machine.LDS(); key.group > most { // a packet's mistake, and not the code's
		return refused(badGroupMemory, "packet %d: %d bytes of workgroup memory, more than the %d that exist", index, key.group, most)
	}
	space := &q.gpu.system.space
	since := space.begin()
	if q.gpu.system.bells.lift() {
		q.gpu.system.poller.kick() // the poller looks at doorbells that it no longer hears
	}
	defer space.end(since)
	k, err := q.gpu.kernel(key, q.view)
	if err != nil {
		return refused(badCode, "packet %d: %w", index, err)
	}
	switch over := q.gpu.machine.Excess(k.Kernel, d.Block, uint64(key.group)); over.Limit {
	case emu.GroupWaves:
		return refused(tooFewRegisters, "packet %d: workgroups of %d waves with %d VGPRs each, and %s holds %d of them",
			index, over.Wanted, k.Registers(), over.Unit, over.Most)
	case emu.GroupMemory:
		return refused(badGroupMemory, "packet %d: %d bytes of workgroup memory, more than the %d that exist", index, over.Wanted, over.Most)
	}
	d.Kernel = k.Kernel
	d.Fetch = func(addr uint64) []byte { return k.program.fetch(q.view, addr) }
	if k.program.source != nil {
		watch := q.gpu.system.check.NewLaunch(k.Kernel, k.program.source, d.Grid, q.arguments(d.Kernarg, k.Kernarg), 0)
		defer watch.Over()
		d.Watch = watch
	}
	if k.program.profiled {
		d.Profile = q.gpu.system.profile.Launch(q.gpu.machine, k.Kernel, d.Block, 0)
	}
	began := time.Now()
	err = q.gpu.machine.Run(&d)
	q.gpu.system.stats.ran(k.program.object, &d, uint64(time.Since(began)))
	q.gpu.system.events.serveMailboxes()
	if q.stopped.Load() {
		return outcome{again: true}
	}
	return ended(err)
}

// arguments are a kernel's, nil where they are not memory of the GPU.
func (q *queue) arguments(at uint64, size uint32) []byte {
	if _, hi, ok := q.view.Window(at, false); !ok || hi-at < uint64(size) {
		return nil
	}
	return bytesAt(at, uint64(size))
}

// shape reads the grid, which is counted in work-items, and the workgroup's size.
func shape(d *emu.Dispatch, at, index uint64) outcome {
	if axes := load16(at + setupAt); axes > 3 { // HIP 7 leaves it zero
		return refused(badDimensions, "packet %d: a grid of %d axes", index, axes)
	}
	var items [3]uint32 // of the grid
	for axis := range uint64(3) {
		d.Block[axis], items[axis] = uint32(load16(at+blockAt+2*axis)), load32(at+gridAt+4*axis)
	}
	switch over := emu.ExcessOfShape(items, d.Block, emu.MostItems); over.Limit {
	case emu.EmptyAxis:
		return refused(badDimensions, "packet %d: a grid or workgroup that is empty along axis %d", index, over.Axis)
	case emu.GroupItems:
		return refused(groupTooLarge, "packet %d: workgroups of more than %d work-items", index, over.Most)
	}
	for axis, n := range items {
		d.Grid[axis], d.Last[axis] = (n-1)/d.Block[axis]+1, n%d.Block[axis]
	}
	return outcome{}
}

// serve is called between turns of waves.
func (q *queue) serve() error {
	if q.stopped.Load() {
		return errDestroyed
	}
	if q.unheard.Load() > 0 && q.unheard.Add(-1) == 0 {
		q.gpu.system.poller.kick()
	}
	q.gpu.system.events.serveMailboxes()
	return nil
}

// ended says how the end of a kernel is reported.
func ended(err error) outcome {
	o := outcome{err: err}
	var f *emu.Fault
	var late *emu.Overdue
	switch errors.As(err, &f); {
	case err == nil:
	case errors.As(err, &late):
		o.code = trapped // as a debugger ends a kernel
	case f == nil:
		o.code = badCode
	case f.OfMemory():
		o.code, o.fault = memoryViolation, max(f.Addr, 1)
	case strings.HasPrefix(f.Instruction, "s_trap"):
		o.code = trapped
	default:
		o.code = illegalInstruction
	}
	return o
}
