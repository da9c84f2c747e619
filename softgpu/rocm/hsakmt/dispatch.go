package hsakmt

import (
	"errors"
	"strings"

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

const mostItems = 1024 // work-items in a workgroup

// errDestroyed ends the kernel of a queue that is being destroyed.
var errDestroyed = errors.New("the queue is being destroyed")

// dispatch runs the kernel of a packet to its end.
func (q *queue) dispatch(at, index uint64) outcome {
	d := emu.Dispatch{Mem: q.view, Kernarg: load64(at + kernargAt), Packet: at, Queue: q.amd, ID: index, GWS: q.gws.Load(), Serve: q.serve, Timeout: q.gpu.thunk.timeout}
	if o := shape(&d, at, index); o.err != nil {
		return o
	}
	key := kernelKey{object: load64(at + objectAt), private: load32(at + privateAt), group: load32(at + groupAt)}
	if most := q.gpu.machine.LDS(); key.group > most {
		return refused(badGroupMemory, "packet %d: %d bytes of workgroup memory, more than the %d that exist", index, key.group, most)
	}
	space := &q.gpu.thunk.space
	since := space.begin()
	q.gpu.thunk.bells.protect(false)
	defer space.end(since)
	k, err := q.gpu.kernel(key, q.view)
	if err != nil {
		return refused(badCode, "packet %d: %w", index, err)
	}
	waves := (int(d.Block[0]*d.Block[1]*d.Block[2]) + k.Lanes() - 1) / k.Lanes()
	if most, ok := q.gpu.machine.Fits(k.Kernel, waves); !ok {
		return refused(tooFewRegisters, "packet %d: workgroups of %d waves with %d VGPRs each, and a compute unit holds %d of them",
			index, waves, k.Registers(), most)
	}
	d.Kernel = k.Kernel
	d.Fetch = func(addr uint64) []byte { return k.program.fetch(q.view, addr) }
	if k.program.source != nil {
		watch := q.gpu.thunk.check.NewLaunch(k.Kernel, k.program.source, d.Grid, q.arguments(d.Kernarg, k.Kernarg), 0)
		defer watch.Over()
		d.Watch = watch
	}
	err = q.gpu.machine.Run(&d)
	q.gpu.thunk.events.serveMailboxes()
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
	items := uint64(1)
	for axis := range uint64(3) {
		block, grid := uint32(load16(at+blockAt+2*axis)), load32(at+gridAt+4*axis)
		if block == 0 || grid == 0 {
			return refused(badDimensions, "packet %d: a grid or workgroup that is empty along axis %d", index, axis)
		}
		items *= uint64(block)
		d.Block[axis], d.Grid[axis], d.Last[axis] = block, (grid-1)/block+1, grid%block
	}
	if items > mostItems {
		return refused(groupTooLarge, "packet %d: workgroups of %d work-items, more than %d", index, items, mostItems)
	}
	return outcome{}
}

// serve is called between turns of waves.
func (q *queue) serve() error {
	if q.stopped.Load() {
		return errDestroyed
	}
	q.gpu.thunk.events.serveMailboxes()
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
