package mgpu

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// modelDevice is a driver whose work is done at random moments, or as far as a wait needs. Its
// calls return late: between a call's work and its return other threads go on, and see the
// submitted work.
type modelDevice struct {
	driver.Driver // calls without a method here are not made

	mu      sync.Mutex
	seed    uint64
	next    uintptr
	count   int
	devices map[int]int // current device, by thread
	streams map[driver.Stream]*modelStream
	events  map[driver.Event]*modelOp // latest record; nil: none
	memory  map[driver.Ptr]modelBlock
	spare   []driver.Ptr // freed addresses, which drivers reuse
	back    map[driver.Ptr]bool
	queues  []*modelStream          // the null streams by device, then all others
	calls   []*modelCall            // submitting calls that have not returned
	lost    map[int][]driver.Stream // by thread: streams taken by other threads during its calls
	threads int
	steps   atomic.Uint64 // of all threads
	wrong   []string
	lazy    bool // work is done only when waited for
}

type modelStream struct {
	device int
	ended  bool // no more submissions
	alien  bool // not created by the library
	queue  []*modelOp
}

type modelBlock struct {
	bytes  uint64
	device int
}

// modelOp is a piece of work that waits for after.
type modelOp struct {
	on    *modelStream
	after *modelOp
	done  bool
	work  bool // uses memory
}

// modelCall is a call under way that submits work to a stream of the program.
type modelCall struct {
	thread int
	stream driver.Stream // zero: the null stream, or a stream that another thread has taken
	there  bool          // the device has the work, and other threads may take the stream
}

func newModelDevice(devices int, seed uint64) *modelDevice {
	d := &modelDevice{seed: seed | 1, next: 1 << 20, count: devices, devices: map[int]int{}, streams: map[driver.Stream]*modelStream{},
		events: map[driver.Event]*modelOp{}, memory: map[driver.Ptr]modelBlock{}, lost: map[int][]driver.Stream{},
		back: map[driver.Ptr]bool{}}
	for i := range devices {
		d.queues = append(d.queues, &modelStream{device: i})
	}
	return d
}

func (d *modelDevice) random(n uint64) uint64 {
	d.seed ^= d.seed << 13
	d.seed ^= d.seed >> 7
	d.seed ^= d.seed << 17
	return d.seed % n
}

// begin takes the lock and does some work.
func (d *modelDevice) begin() {
	d.mu.Lock()
	if d.lazy || d.random(4) != 0 {
		return
	}
	for _, s := range d.queues {
		if d.random(3) == 0 {
			s.step()
		}
	}
}

// step does the stream's first piece of work if nothing before it is left.
func (s *modelStream) step() bool {
	if len(s.queue) == 0 || s.queue[0].after != nil && !s.queue[0].after.done {
		return false
	}
	s.queue[0].done = true
	s.queue = s.queue[1:]
	return true
}

// finish does a piece of work after all that it waits for.
func (op *modelOp) finish() {
	for !op.done {
		if first := op.on.queue[0]; first.after != nil {
			first.after.finish()
		}
		op.on.step()
	}
}

// finish does all work of a device.
func (d *modelDevice) finish(device int) {
	for _, s := range d.queues {
		if n := len(s.queue); n > 0 && s.device == device {
			s.queue[n-1].finish()
		}
	}
}

func (d *modelDevice) stream(s driver.Stream) *modelStream {
	if s == 0 {
		return d.queues[d.devices[syscall.Gettid()]]
	}
	q := d.streams[s]
	if q == nil {
		d.wrong = append(d.wrong, fmt.Sprintf("%#x is no stream", uintptr(s)))
		q = d.queues[0]
	}
	return q
}

// end ends a call, late.
func (d *modelDevice) end() {
	late := d.late()
	d.mu.Unlock()
	d.pause(late)
}

// late returns how many steps of other threads a call waits for before it returns, often zero.
func (d *modelDevice) late() uint64 {
	if d.threads == 1 {
		return 0
	}
	return d.random(4) * d.random(4)
}

// pause lets other threads go on, if there are any.
func (d *modelDevice) pause(steps uint64) {
	until := d.steps.Load() + steps
	for range 8 * steps {
		if d.steps.Load() >= until {
			return
		}
		runtime.Gosched()
	}
}

// submit is a call that submits work. Other threads may wait for the stream before the device
// has the work, and see the work before the call has returned.
func (d *modelDevice) submit(s driver.Stream) error {
	call := &modelCall{thread: syscall.Gettid(), stream: s}
	d.begin()
	d.calls = append(d.calls, call)
	d.end()
	d.begin()
	op := d.order(s, nil)
	op.work, call.there = true, !op.on.alien && s != 0
	d.end()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = slices.DeleteFunc(d.calls, func(c *modelCall) bool { return c == call })
	return nil
}

// acquireStream gives the calling thread a stream of another thread's call under way, zero if
// there is none. wait: only to wait for the stream.
func (d *modelDevice) acquireStream(wait bool) driver.Stream {
	d.mu.Lock()
	defer d.mu.Unlock()
	thread := syscall.Gettid()
	for i, c := range d.calls {
		if c.thread == thread || c.stream == 0 || !c.there && !wait {
			continue
		}
		if !wait {
			d.lost[c.thread] = append(d.lost[c.thread], c.stream)
			d.calls[i].stream = 0
		}
		return c.stream
	}
	return 0
}

// returned returns the streams that the calling thread has lost during its call.
func (d *modelDevice) returned() (lost []driver.Stream) {
	d.steps.Add(1)
	d.mu.Lock()
	defer d.mu.Unlock()
	thread := syscall.Gettid()
	lost, d.lost[thread] = d.lost[thread], nil
	return lost
}

// busy returns the number of unfinished pieces of work in a stream.
func (d *modelDevice) busy(s driver.Stream) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, op := range d.stream(s).queue {
		if op.work {
			n++
		}
	}
	return n
}

// order submits work that uses no memory: event records and waits for events.
func (d *modelDevice) order(s driver.Stream, after *modelOp) *modelOp {
	q := d.stream(s)
	op := &modelOp{on: q, after: after}
	q.queue = append(q.queue, op)
	return op
}

// unfinished returns all work submitted and not done.
func (d *modelDevice) unfinished() (ops []*modelOp) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.queues {
		for _, op := range s.queue {
			if op.work {
				ops = append(ops, op)
			}
		}
	}
	return ops
}

// pendingOf returns how many of ops are not done, on streams that counts selects.
func (d *modelDevice) pendingOf(ops []*modelOp, counts func(*modelStream) bool) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, op := range ops {
		if !op.done && counts(op.on) {
			n++
		}
	}
	return n
}

func (d *modelDevice) Name() string          { return "model" }
func (d *modelDevice) DeviceCount() int      { return d.count }
func (d *modelDevice) DeviceName(int) string { return "model" }

func (d *modelDevice) SetDevice(device int) error {
	d.begin()
	defer d.end()
	d.devices[syscall.Gettid()] = device
	return nil
}

func (d *modelDevice) Device() (int, error) {
	d.begin()
	defer d.end()
	return d.devices[syscall.Gettid()], nil
}

func (d *modelDevice) LaunchKernel(_ driver.Function, l driver.Launch) error {
	return d.submit(l.Stream)
}

func (d *modelDevice) Memcpy(_, _ driver.Ptr, _ uint64, s driver.Stream) error {
	return d.submit(s)
}

func (d *modelDevice) Memset32(_ driver.Ptr, _ uint32, _ uint64, s driver.Stream) error {
	return d.Memcpy(0, 0, 0, s)
}

func (d *modelDevice) StreamCreate() (driver.Stream, error) {
	d.begin()
	defer d.end()
	d.next += 64
	s := &modelStream{device: d.devices[syscall.Gettid()]}
	d.streams[driver.Stream(d.next)] = s
	d.queues = append(d.queues, s)
	return driver.Stream(d.next), nil
}

// alien makes a stream that the library does not know.
func (d *modelDevice) alien() uintptr {
	s, _ := d.StreamCreate()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.streams[s].alien = true
	return uintptr(s)
}

// StreamDestroy leaves the stream's work running.
func (d *modelDevice) StreamDestroy(s driver.Stream) error {
	d.begin()
	defer d.end()
	d.stream(s).ended = true
	delete(d.streams, s)
	d.queues = slices.DeleteFunc(d.queues, func(s *modelStream) bool { return s.ended && len(s.queue) == 0 })
	return nil
}

func (d *modelDevice) StreamSynchronize(s driver.Stream) error {
	d.begin()
	defer d.end()
	q := d.stream(s)
	if n := len(q.queue); n > 0 {
		q.queue[n-1].finish()
	}
	return nil
}

func (d *modelDevice) StreamIdle(s driver.Stream) (bool, error) {
	d.begin()
	defer d.end()
	return len(d.stream(s).queue) == 0, nil
}

func (d *modelDevice) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	d.begin()
	defer d.end()
	d.order(s, d.events[e])
	return nil
}

func (d *modelDevice) EventCreate() (driver.Event, error) {
	d.begin()
	defer d.end()
	d.next += 64
	d.events[driver.Event(d.next)] = nil
	return driver.Event(d.next), nil
}

func (d *modelDevice) EventDestroy(e driver.Event) error {
	d.begin()
	defer d.end()
	delete(d.events, e)
	return nil
}

func (d *modelDevice) EventRecord(e driver.Event, s driver.Stream) error {
	d.begin()
	defer d.end()
	d.events[e] = d.order(s, nil)
	return nil
}

func (d *modelDevice) EventDone(e driver.Event) (bool, error) {
	d.begin()
	defer d.end()
	op := d.events[e]
	return op == nil || op.done, nil
}

func (d *modelDevice) EventSynchronize(e driver.Event) error {
	d.begin()
	defer d.end()
	if op := d.events[e]; op != nil {
		op.finish()
	}
	return nil
}

// modelMemory is small, so that memory runs out now and then.
const modelMemory = 24 << 20

func (d *modelDevice) MemAlloc(bytes uint64) (driver.Ptr, error) {
	d.begin()
	defer d.end()
	used := bytes
	for _, b := range d.memory {
		used += b.bytes
	}
	if used > modelMemory {
		return 0, &driver.Error{Call: "modelAlloc", Name: "out of memory", Code: driver.OutOfMemory}
	}
	var p driver.Ptr
	if n := len(d.spare); n > 0 && d.random(2) == 0 {
		p, d.spare = d.spare[n-1], d.spare[:n-1]
	} else {
		d.next += 64 << 20
		p = driver.Ptr(d.next)
	}
	d.memory[p] = modelBlock{bytes, d.devices[syscall.Gettid()]}
	return p, nil
}

func (d *modelDevice) MemAllocManaged(bytes uint64) (driver.Ptr, error) { return d.MemAlloc(bytes) }

// MemFree waits for the memory's device, as drivers do.
func (d *modelDevice) MemFree(p driver.Ptr) error {
	d.begin()
	defer d.end()
	b, ok := d.memory[p]
	if !ok {
		return &driver.Error{Call: "modelFree", Name: "invalid value", Code: driver.InvalidValue}
	}
	d.finish(b.device)
	delete(d.memory, p)
	d.spare = append(d.spare, p)
	d.back[p] = true
	return nil
}

// wasBack reports whether the driver had the block back since the last question.
func (d *modelDevice) wasBack(p driver.Ptr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.back[p]
	delete(d.back, p)
	return was
}

func (d *modelDevice) HostRegister(driver.Ptr, uint64) error { return nil }

func (d *modelDevice) MemInfo() (free, total uint64, err error) {
	return modelMemory, modelMemory, nil
}

func (d *modelDevice) DeviceSynchronize() error {
	d.begin()
	defer d.end()
	d.finish(d.devices[syscall.Gettid()])
	return nil
}
