// Package device is a driver for tests: a model of a GPU whose work is done at random moments,
// and whose calls return late.
package device

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Model is a driver whose work is done at random moments, or as far as a wait needs. Its calls return late: between a
// call's work and its return other threads run, and see the submitted work.
type Model struct {
	driver.Driver // calls without a method here are not made
	driver.Grapher

	Threads int           // number of threads that use the device
	Lazy    bool          // work is done only when a wait needs it
	Brisk   bool          // calls rarely return late
	Common  driver.Stream // shared by all threads; no thread destroys it
	Shared  driver.Ptr    // memory that the host sees; zero: there is none
	Pinned  bool          // graphs must not be changed or destroyed while they execute
	Quiet   func(bool)    // called before the device is locked, and after; may be nil
	Pause   func(uint64)  // lets other threads take so many steps; nil: by the Go scheduler

	mu      sync.Mutex
	seed    uint64
	next    uintptr
	count   int
	devices map[int]int // current device, by thread
	streams map[driver.Stream]*Stream
	events  map[driver.Event]*Work // latest record; nil: none
	memory  map[driver.Ptr]block
	spare   []driver.Ptr // freed addresses, which drivers reuse
	back    map[driver.Ptr]bool
	queues  []*Stream               // the null streams by device, then all others
	calls   []*call                 // submitting calls that have not returned
	lost    map[int][]driver.Stream // by thread: streams taken by other threads during its calls
	freed   map[int][]*Work         // by thread: what was pending when its frees began
	wrong   []string

	clock uint64                // number of library calls and of answers
	began map[int]uint64        // by thread: number of the call
	asked map[driver.Ptr]uint64 // number of the latest answer about an address

	graphs map[driver.Graph]oneNode
	execs  map[driver.GraphExec]*exec
	others uintptr                 // the latest handle of a graph of another model
	code   map[driver.Function]int // how often the handle was given to other code
}

// Steps counts the steps of all threads, on all devices.
var Steps atomic.Uint64

// Stream is a stream, or a device's null stream.
type Stream struct {
	Device int
	Ended  bool // no more submissions
	Alien  bool // not created by the library
	queue  []*Work
}

type block struct {
	bytes  uint64
	device int
}

// Work is a piece of work that waits for after.
type Work struct {
	on      *Stream
	after   *Work
	follows []*Work // is done first, or something is wrong
	done    bool
	work    bool // uses memory
	seen    bool // the host sees when it is done

	addresses []driver.Ptr // of memory that the library has to ask the driver about
	began     uint64       // number of the library's call
}

// Seen reports whether the host sees when the work is done.
func (op *Work) Seen() bool { return op.seen }

// On reports whether a stream that counts selects has the work.
func (op *Work) On(counts func(*Stream) bool) bool { return counts(op.on) }

// call is a call under way that submits work to a stream of the program.
type call struct {
	thread int
	on     driver.Stream // zero: the null stream
	stream driver.Stream // on, unless another thread has taken it
	there  bool          // the device has the work, and other threads may take the stream
}

// New makes a device driver of so many devices.
func New(devices int, seed uint64) *Model {
	d := &Model{others: handles.Load(), seed: seed | 1, next: 1 << 20, count: devices, devices: map[int]int{}, streams: map[driver.Stream]*Stream{},
		events: map[driver.Event]*Work{}, memory: map[driver.Ptr]block{}, lost: map[int][]driver.Stream{},
		freed: map[int][]*Work{}, back: map[driver.Ptr]bool{},
		began: map[int]uint64{}, asked: map[driver.Ptr]uint64{},
		graphs: map[driver.Graph]oneNode{}, execs: map[driver.GraphExec]*exec{}, code: map[driver.Function]int{}}
	for i := range devices {
		d.queues = append(d.queues, &Stream{Device: i})
	}
	return d
}

func (d *Model) random(n uint64) uint64 {
	d.seed ^= d.seed << 13
	d.seed ^= d.seed >> 7
	d.seed ^= d.seed << 17
	return d.seed % n
}

func (d *Model) lock() {
	if d.Quiet != nil {
		d.Quiet(true)
	}
	d.mu.Lock()
}

func (d *Model) unlock() {
	d.mu.Unlock()
	if d.Quiet != nil {
		d.Quiet(false)
	}
}

// begin takes the lock and does some work.
func (d *Model) begin() {
	d.lock()
	if d.Lazy || d.random(4) != 0 {
		return
	}
	for _, s := range d.queues {
		if d.random(3) == 0 {
			d.step(s)
		}
	}
}

// step does the stream's first piece of work if nothing before it is left.
func (d *Model) step(s *Stream) bool {
	if len(s.queue) == 0 || s.queue[0].after != nil && !s.queue[0].after.done {
		return false
	}
	op := s.queue[0]
	if n := undone(op.follows); len(n) > 0 {
		d.wrong = append(d.wrong, fmt.Sprintf("work overtakes %d pieces of work from before a free of its thread", len(n)))
	}
	op.done, op.follows = true, nil
	s.queue = s.queue[1:]
	return true
}

func undone(ops []*Work) []*Work {
	return slices.DeleteFunc(slices.Clone(ops), func(op *Work) bool { return op.done })
}

// finish does a piece of work after all that it waits for.
func (d *Model) finish(op *Work) {
	for !op.done {
		if first := op.on.queue[0]; first.after != nil {
			d.finish(first.after)
		}
		d.step(op.on)
	}
}

// finishAll does all work of a device.
func (d *Model) finishAll(device int) {
	for _, s := range d.queues {
		if n := len(s.queue); n > 0 && s.Device == device {
			d.finish(s.queue[n-1])
		}
	}
}

func (d *Model) stream(s driver.Stream) *Stream {
	if s == 0 {
		return d.queues[d.devices[syscall.Gettid()]]
	}
	q := d.streams[s]
	if q == nil {
		d.wrong = append(d.wrong, fmt.Sprintf("%#x is not a stream", uintptr(s)))
		q = d.queues[0]
	}
	return q
}

// end ends a call, late.
func (d *Model) end() {
	late := d.late()
	d.unlock()
	d.pause(late)
}

// late returns how many steps of other threads a call waits for before it returns, often zero.
func (d *Model) late() uint64 {
	if d.Threads == 1 || d.Brisk && d.random(8) != 0 {
		return 0
	}
	return d.random(4) * d.random(4)
}

// pause lets other threads go on, if there are any.
func (d *Model) pause(steps uint64) {
	if d.Pause != nil {
		d.Pause(steps)
		return
	}
	until := Steps.Load() + steps
	for range 8 * steps {
		if Steps.Load() >= until {
			return
		}
		runtime.Gosched()
	}
}

// submit is a call that submits work. Other threads may wait for the stream before the device
// has the work, and see the work before the call has returned.
func (d *Model) submit(s driver.Stream, addresses ...driver.Ptr) *Work {
	c := &call{thread: syscall.Gettid(), on: s, stream: s}
	d.begin()
	d.calls = append(d.calls, c)
	late := d.late()
	if d.Pause != nil && d.random(16) == 0 {
		late += 10 + d.random(40) // meanwhile a thread frees and submits more than once
	}
	d.unlock()
	d.pause(late)
	d.begin()
	op := d.order(s, nil)
	op.work, c.there = true, !op.on.Alien && s != 0
	op.addresses, op.began = addresses, d.began[c.thread]
	op.seen = d.Shared != 0 && slices.Contains(addresses, d.Shared)
	op.follows = undone(d.freed[c.thread])
	d.end()
	d.lock()
	taken := c.stream != s
	d.unlock()
	if taken { // by a thread that uses the stream before the call returns
		d.pause(20)
	}
	d.lock()
	defer d.unlock()
	d.calls = slices.DeleteFunc(d.calls, func(other *call) bool { return other == c })
	return op
}

// AcquireStream gives the calling thread a stream of another thread's call under way, zero if
// there is none. wait: only to wait for the stream.
func (d *Model) AcquireStream(wait bool) driver.Stream {
	d.lock()
	defer d.unlock()
	thread := syscall.Gettid()
	for _, c := range d.calls {
		s := c.stream
		if c.thread == thread || s == 0 || !wait && (!c.there || c.stream == d.Common) {
			continue
		}
		if !wait {
			d.lost[c.thread] = append(d.lost[c.thread], s)
			c.stream = 0
		}
		return s
	}
	return 0
}

// Returned returns the streams that the calling thread has lost during its call.
func (d *Model) Returned() (lost []driver.Stream) {
	Steps.Add(1)
	d.lock()
	defer d.unlock()
	thread := syscall.Gettid()
	lost, d.lost[thread] = d.lost[thread], nil
	return lost
}

// Freed notes work that was pending when a free of the calling thread began, and was the free's to
// wait for: what the thread submits from now on follows it.
func (d *Model) Freed(ops []*Work) {
	d.lock()
	defer d.unlock()
	thread := syscall.Gettid()
	d.freed[thread] = append(undone(d.freed[thread]), ops...)
}

// Busy returns the number of unfinished pieces of work in a stream.
func (d *Model) Busy(s driver.Stream) (n int) {
	d.lock()
	defer d.unlock()
	for _, op := range d.stream(s).queue {
		if op.work {
			n++
		}
	}
	return n
}

// order submits work that uses no memory: event records and waits for events.
func (d *Model) order(s driver.Stream, after *Work) *Work {
	q := d.stream(s)
	op := &Work{on: q, after: after}
	q.queue = append(q.queue, op)
	return op
}

// Unfinished returns all work submitted and not done.
func (d *Model) Unfinished() (ops []*Work) {
	d.lock()
	defer d.unlock()
	for _, s := range d.queues {
		for _, op := range s.queue {
			if op.work {
				ops = append(ops, op)
			}
		}
	}
	return ops
}

// PendingOf returns how many of ops are not done, on streams that counts selects.
func (d *Model) PendingOf(ops []*Work, counts func(*Stream) bool) (n int) {
	d.lock()
	defer d.unlock()
	for _, op := range ops {
		if !op.done && counts(op.on) {
			n++
		}
	}
	return n
}

func (d *Model) Name() string          { return "model" }
func (d *Model) DeviceCount() int      { return d.count }
func (d *Model) DeviceName(int) string { return "model" }

func (d *Model) SetDevice(device int) error {
	d.begin()
	defer d.end()
	d.devices[syscall.Gettid()] = device
	return nil
}

func (d *Model) Device() (int, error) {
	d.begin()
	defer d.end()
	return d.devices[syscall.Gettid()], nil
}

func (d *Model) LaunchKernel(_ driver.Function, l driver.Launch) error {
	d.submit(l.Stream)
	return nil
}

func (d *Model) Memcpy(dst, src driver.Ptr, _ uint64, s driver.Stream) error {
	d.submit(s, dst, src)
	return nil
}

func (d *Model) Memset32(dst driver.Ptr, _ uint32, _ uint64, s driver.Stream) error {
	d.submit(s, dst)
	return nil
}

// Begins notes that the calling thread calls the library for a copy or a fill.
func (d *Model) Begins() {
	d.lock()
	defer d.unlock()
	d.clock++
	d.began[syscall.Gettid()] = d.clock
}

// Asked notes an answer about an address: whether it is of memory that the host sees.
func (d *Model) Asked(p driver.Ptr) (shared bool) {
	d.lock()
	defer d.unlock()
	d.clock++
	d.asked[p] = d.clock
	return p == d.Shared
}

// Unasked returns an address of unfinished copies and fills, on streams that counts selects, about which the library
// has not asked since it was called for them; zero if there is none.
func (d *Model) Unasked(ops []*Work, counts func(*Stream) bool) driver.Ptr {
	d.lock()
	defer d.unlock()
	for _, op := range ops {
		for _, p := range op.addresses {
			if !op.done && counts(op.on) && d.asked[p] < op.began {
				return p
			}
		}
	}
	return 0
}

func (d *Model) StreamCreate() (driver.Stream, error) {
	d.begin()
	defer d.end()
	d.next += 64
	s := &Stream{Device: d.devices[syscall.Gettid()]}
	d.streams[driver.Stream(d.next)] = s
	d.queues = append(d.queues, s)
	return driver.Stream(d.next), nil
}

// AlienStream makes a stream that the library does not know.
func (d *Model) AlienStream() uintptr {
	s, _ := d.StreamCreate()
	d.lock()
	defer d.unlock()
	d.streams[s].Alien = true
	return uintptr(s)
}

// StreamDestroy leaves the stream's work running.
func (d *Model) StreamDestroy(s driver.Stream) error {
	d.begin()
	defer d.end()
	if slices.ContainsFunc(d.calls, func(c *call) bool { return c.on == s }) {
		d.wrong = append(d.wrong, fmt.Sprintf("%#x is destroyed while a call on it is under way", uintptr(s)))
	}
	d.stream(s).Ended = true
	delete(d.streams, s)
	d.queues = slices.DeleteFunc(d.queues, func(s *Stream) bool { return s.Ended && len(s.queue) == 0 })
	return nil
}

// DestroyStream destroys a stream as a call of the driver's own library does. It returns false, and does nothing, while
// a call on the stream is under way.
func (d *Model) DestroyStream(s driver.Stream) bool {
	d.lock()
	busy := slices.ContainsFunc(d.calls, func(c *call) bool { return c.on == s })
	d.unlock()
	return !busy && d.StreamDestroy(s) == nil
}

func (d *Model) StreamSynchronize(s driver.Stream) error {
	d.begin()
	defer d.end()
	q := d.stream(s)
	if n := len(q.queue); n > 0 {
		d.finish(q.queue[n-1])
	}
	return nil
}

func (d *Model) StreamIdle(s driver.Stream) (bool, error) {
	d.begin()
	defer d.end()
	return len(d.stream(s).queue) == 0, nil
}

func (d *Model) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	d.begin()
	defer d.end()
	d.order(s, d.events[e])
	return nil
}

func (d *Model) EventCreate() (driver.Event, error) {
	d.begin()
	defer d.end()
	d.next += 64
	d.events[driver.Event(d.next)] = nil
	return driver.Event(d.next), nil
}

func (d *Model) EventDestroy(e driver.Event) error {
	d.begin()
	defer d.end()
	delete(d.events, e)
	return nil
}

func (d *Model) EventRecord(e driver.Event, s driver.Stream) error {
	d.begin()
	defer d.end()
	d.events[e] = d.order(s, nil)
	return nil
}

func (d *Model) EventDone(e driver.Event) (bool, error) {
	d.begin()
	defer d.end()
	op := d.events[e]
	return op == nil || op.done, nil
}

func (d *Model) EventSynchronize(e driver.Event) error {
	d.begin()
	defer d.end()
	if op := d.events[e]; op != nil {
		d.finish(op)
	}
	return nil
}

// Memory is the bytes of the devices together: few, so that memory runs out now and then.
const Memory = 24 << 20

func (d *Model) MemAlloc(bytes uint64) (driver.Ptr, error) {
	d.begin()
	defer d.end()
	used := bytes
	for _, b := range d.memory {
		used += b.bytes
	}
	if used > Memory {
		return 0, &driver.Error{Call: "modelAlloc", Name: "out of memory", Code: driver.OutOfMemory}
	}
	var p driver.Ptr
	if n := len(d.spare); n > 0 && d.random(2) == 0 {
		p, d.spare = d.spare[n-1], d.spare[:n-1]
	} else {
		d.next += 64 << 20
		p = driver.Ptr(d.next)
	}
	d.memory[p] = block{bytes, d.devices[syscall.Gettid()]}
	return p, nil
}

func (d *Model) MemAllocManaged(bytes uint64) (driver.Ptr, error) { return d.MemAlloc(bytes) }

// MemFree waits for the memory's device, as drivers do.
func (d *Model) MemFree(p driver.Ptr) error {
	d.begin()
	defer d.end()
	b, ok := d.memory[p]
	if !ok {
		return &driver.Error{Call: "modelFree", Name: "invalid value", Code: driver.InvalidValue}
	}
	d.finishAll(b.device)
	delete(d.memory, p)
	d.spare = append(d.spare, p)
	d.back[p] = true
	return nil
}

// Knows reports whether a stream exists.
func (d *Model) Knows(s driver.Stream) bool {
	d.begin()
	defer d.end()
	return d.streams[s] != nil
}

// Blocks returns how many allocations there are.
func (d *Model) Blocks() int {
	d.lock()
	defer d.unlock()
	return len(d.memory)
}

// Wrong returns what was wrong with calls.
func (d *Model) Wrong() []string {
	d.lock()
	defer d.unlock()
	return d.wrong
}

// WasBack reports whether the driver had the block back since the last question.
func (d *Model) WasBack(p driver.Ptr) bool {
	d.lock()
	defer d.unlock()
	was := d.back[p]
	delete(d.back, p)
	return was
}

func (d *Model) HostRegister(driver.Ptr, uint64) error { return nil }

func (d *Model) MemInfo() (free, total uint64, err error) {
	return Memory, Memory, nil
}

func (d *Model) DeviceSynchronize() error {
	d.begin()
	defer d.end()
	d.finishAll(d.devices[syscall.Gettid()])
	return nil
}
