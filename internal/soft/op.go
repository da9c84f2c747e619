package soft

import (
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/soft/emu"
)

type opKind uint8

const (
	opWait opKind = iota // nothing but its fences
	opLaunch
	opCopy
	opFill16
	opFill32
)

// op is one operation of a stream. It starts when its fences are passed.
type op struct {
	kind  opKind
	after [2]fence
	more  []fence

	dst, src uintptr
	bytes    uint64
	value    uint32
	staged   bool // src is a block of the device's own, to be freed

	fn          *function
	grid, block [3]uint32
	lds         uint32
	args        uintptr // the launch's block: dispatch packet, then kernel arguments
}

// execute runs o, which is s.current.
func (s *stream) execute(o *op) error {
	o.after[0].wait()
	o.after[1].wait()
	for _, f := range o.more {
		f.wait()
	}
	switch o.kind {
	case opLaunch:
		return s.launch(o)
	case opCopy:
		err := copyMemory(o.dst, o.src, o.bytes)
		if o.staged {
			s.dev.heap.free(o.src, devices)
		}
		return err
	case opFill16:
		fill(o.dst, uint16(o.value), o.bytes/2)
	case opFill32:
		fill(o.dst, o.value, o.bytes/4)
	}
	return nil
}

// launch runs a kernel and names what it did wrong.
func (s *stream) launch(o *op) error {
	d := &s.dispatch
	d.Kernel, d.Grid, d.Block, d.LDS = o.fn.kernel, o.grid, o.block, o.lds
	d.Kernarg, d.Packet, d.Queue = uint64(o.args)+packetSize, uint64(o.args), uint64(s.dev.queue)
	d.ID++
	s.view.reset()
	d.Mem = &s.view
	err := s.dev.machine.Run(d)
	s.dev.heap.free(o.args, devices)
	o.fn.module.release()
	if err == nil {
		return nil
	}
	var fault *emu.Fault
	if !errors.As(err, &fault) {
		return outOfMemory.of(o.fn.call, "%v", err)
	}
	st, detail := launchFailure, fault.Error()
	if fault.OfMemory() {
		st = illegalAddress
		if near := s.dev.heap.describe(uintptr(fault.Addr)); near != "" {
			detail = fmt.Sprintf("%s; the address is %s", detail, near)
		}
	}
	return st.of(o.fn.call, "%s", detail)
}
