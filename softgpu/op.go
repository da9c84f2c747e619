package softgpu

import (
	"errors"
	"fmt"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

type opKind uint8

const (
	opWait opKind = iota // no work besides its fences
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
	staged   bool // src is a block of the device, to be freed

	fn          *function
	grid, block [3]uint32
	lds         uint32
	cooperative bool
	call        uint64  // number of the program's call, if kernels are checked
	submitted   int64   // time of the submission, if the timeline is recorded; zero: it is not
	thread      uint32  // thread that submitted it
	graph       uint64  // number of the graph's launch of which it is a part; zero: none
	args        uintptr // the launch's block: dispatch packet, then kernel arguments
}

// execute runs o, which is s.current and the stream's operation n. Failures before its fences become failures of s.
func (s *stream) execute(o *op, n uint64) error {
	for _, f := range o.after {
		f.wait()
		s.inherit(f, n)
	}
	for _, f := range o.more {
		f.wait()
		s.inherit(f, n)
	}
	if t := s.dev.trace.On(); t != nil && o.kind != opWait {
		work := s.timed(o)
		work.Start = t.Now()
		defer func() {
			work.End = t.Now()
			t.Device(&work)
		}()
	}
	switch o.kind {
	case opLaunch:
		if took := s.dev.took.Load(); took != nil {
			defer func(f *function, from time.Time) { (*took)(driver.Function(f.handle), uint64(time.Since(from))) }(o.fn, time.Now())
		}
		return s.launch(o)
	case opCopy:
		err := copyMemory(o.dst, o.src, o.bytes)
		s.dev.heap.wrote(o.dst, o.src, o.bytes)
		if o.staged {
			s.dev.heap.free(o.src, devices)
		}
		return err
	case opFill16:
		return s.fill("hipMemsetD16Async", o, o.value&0xffff|o.value<<16)
	case opFill32:
		return s.fill("hipMemsetD32Async", o, o.value)
	}
	return nil
}

// timed returns o's record for the timeline, without times.
func (s *stream) timed(o *op) trace.Work {
	w := trace.Work{Bytes: o.bytes, Fill: o.kind != opCopy, Stream: s.handle, Device: s.dev.index, Submitted: o.submitted, Thread: o.thread, Graph: o.graph}
	if o.kind == opLaunch {
		w.Kernel = o.fn.handle
	}
	return w
}

// fillStep is how much host memory is filled at once.
const fillStep = 256 << 10

// fill repeats pattern over o's destination, whose size may be an odd number of halves. Device blocks stay allocated
// until operations that were submitted before their free have ended. Host memory may be unmapped by now, so the system
// copies to it.
func (s *stream) fill(call string, o *op, pattern uint32) error {
	if _, hi, _, ok := s.dev.heap.find(o.dst); ok && uint64(hi-o.dst) >= o.bytes {
		fillWords(o.dst, pattern, o.bytes)
		s.dev.heap.wrote(o.dst, 0, o.bytes)
		return nil
	}
	if _, _, reserved := s.dev.heap.reserved(o.dst, 0, 0); reserved {
		return invalidValue.of(call, "the block at %#x was freed meanwhile", o.dst)
	}
	source, err := s.dev.heap.alloc(min(o.bytes, fillStep), s.dev.index, devices)
	if err != nil {
		return outOfMemory.of(call, "%v", err)
	}
	defer s.dev.heap.free(source, devices)
	fillWords(source, pattern, min(o.bytes, fillStep))
	for done := uint64(0); done < o.bytes; {
		n := min(o.bytes-done, fillStep)
		if copied := tryCopy(o.dst+uintptr(done), source, n); copied < n {
			return invalidValue.of(call, "cannot fill %d bytes at %#x: not mapped for writing from byte %d on", o.bytes, o.dst, done+copied)
		}
		done += n
	}
	return nil
}

func fillWords(addr uintptr, pattern uint32, bytes uint64) {
	fill(addr, pattern, bytes/4)
	fill(addr+uintptr(bytes&^3), uint16(pattern), bytes%4/2)
}

// kernel runs the kernel of o, with the parts of the host that it needs.
func (s *stream) kernel(o *op, d *emu.Dispatch) error {
	host := s.dev.host
	host.enter()
	defer host.leave()
	calls, err := s.fillHost(o.fn, uintptr(d.Kernarg))
	var records uintptr
	if err == nil {
		records, err = s.fillRecords(o.fn, uintptr(d.Kernarg))
	}
	if err == nil {
		d.Serve, d.Timeout = nil, s.dev.timeout
		if calls != nil {
			d.Serve = calls.serve
		}
		err = s.dev.machine.Run(d)
	}
	if calls != nil {
		host.done(calls, err != nil)
	}
	if e := s.printRecords(o.fn, records); err == nil {
		err = e
	}
	return err
}

// watched runs a kernel, with the checker if there is one. reported: the checker has reported the fault that ended the
// kernel.
func (s *stream) watched(o *op, d *emu.Dispatch) (reported bool, err error) {
	if s.dev.check == nil {
		return false, s.kernel(o, d)
	}
	watch := s.dev.check.NewLaunch(o.fn.kernel, o.fn.module.source, o.grid, bytesAt(o.args+packetSize, uint64(o.fn.kernarg)), o.call)
	defer watch.Over()
	d.Watch = watch
	err = s.kernel(o, d)
	var fault *emu.Fault
	return errors.As(err, &fault) && fault.Wave >= 0 && watch.Reported(fault.PC), err
}

// launch runs a kernel and describes its failure.
func (s *stream) launch(o *op) error {
	d := &s.dispatch
	d.Kernel, d.Grid, d.Block, d.LDS = o.fn.kernel, o.grid, o.block, o.lds
	d.Kernarg, d.Packet, d.Queue = uint64(o.args)+packetSize, uint64(o.args), uint64(s.dev.queue)
	d.ID++
	s.view.reset()
	d.Mem, d.GWS = &s.view, nil
	if o.cooperative {
		d.GWS = wave.NewGWS(o.grid[0] * o.grid[1] * o.grid[2])
	}
	if p := s.dev.profile; p != nil {
		d.Profile = p.Launch(s.dev.machine, o.fn.kernel, o.block, o.lds)
	}
	reported, err := s.watched(o, d)
	s.dev.heap.free(o.args, devices)
	o.fn.module.release()
	if err == nil {
		return nil
	}
	var late *emu.Overdue
	if errors.As(err, &late) {
		return &driver.Error{Call: o.fn.call, Name: launchTimeOut.name, Code: launchTimeOut.code, Detail: late.Error(), Lines: late.Lines()}
	}
	var fault *emu.Fault
	if !errors.As(err, &fault) {
		return outOfMemory.of(o.fn.call, "%v", err)
	}
	st, detail := launchFailure, fault.Error()
	if fault.OfMemory() {
		st = illegalAddress
	}
	if reported {
		return st.of(o.fn.call, "%s: see the report above", fault.Brief())
	}
	if fault.OfMemory() {
		if near := s.dev.heap.describe(uintptr(fault.Addr)); near != "" {
			detail = fmt.Sprintf("%s; the address is %s", detail, near)
		}
	}
	return st.of(o.fn.call, "%s", detail)
}
