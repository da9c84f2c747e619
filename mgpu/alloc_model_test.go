package mgpu

import (
	"fmt"
	"sync"
	"syscall"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// modelDevice is a driver whose work gets done when chance says so. It knows of each
// piece of work when the program was told that it was submitted, which is what the
// promise of a free is about.
type modelDevice struct {
	driver.Driver // what is not here is not called

	mu      sync.Mutex
	seed    uint64
	next    uintptr
	count   int
	devices map[int]int // by thread
	streams map[driver.Stream]*modelStream
	events  map[driver.Event]*modelOp // the last record; nil: none
	memory  map[driver.Ptr]uint64
	spare   []driver.Ptr // addresses that were freed: drivers give them out again
	null    []*modelStream
	told    map[int][]*modelOp // by thread: submitted by the call under way
	wrong   []string
}

type modelStream struct {
	device int
	queue  []*modelOp
}

// modelOp is a piece of work; after is what else it waits for.
type modelOp struct {
	after *modelOp
	done  bool
	known bool // the call that submitted it has returned
}

func newModelDevice(devices int, seed uint64) *modelDevice {
	d := &modelDevice{seed: seed | 1, next: 1 << 20, count: devices, devices: map[int]int{}, streams: map[driver.Stream]*modelStream{},
		events: map[driver.Event]*modelOp{}, memory: map[driver.Ptr]uint64{}, told: map[int][]*modelOp{}}
	for i := range devices {
		d.null = append(d.null, &modelStream{device: i})
	}
	return d
}

func (d *modelDevice) random(n uint64) uint64 {
	d.seed ^= d.seed << 13
	d.seed ^= d.seed >> 7
	d.seed ^= d.seed << 17
	return d.seed % n
}

// begin takes the lock; some work gets done meanwhile.
func (d *modelDevice) begin() {
	d.mu.Lock()
	if d.random(4) != 0 {
		return
	}
	for _, s := range d.streams {
		if d.random(3) == 0 {
			s.step()
		}
	}
	for _, s := range d.null {
		if d.random(3) == 0 {
			s.step()
		}
	}
}

// step does the first piece of work, if what it waits for is done.
func (s *modelStream) step() bool {
	if len(s.queue) == 0 || s.queue[0].after != nil && !s.queue[0].after.done {
		return false
	}
	s.queue[0].done = true
	s.queue = s.queue[1:]
	return true
}

// finish does work until done says so.
func (d *modelDevice) finish(done func() bool) {
	for !done() {
		moved := false
		for _, s := range d.streams {
			moved = s.step() || moved
		}
		for _, s := range d.null {
			moved = s.step() || moved
		}
		if !moved {
			d.wrong = append(d.wrong, "the work never ends")
			return
		}
	}
}

func (d *modelDevice) stream(s driver.Stream) *modelStream {
	if s == 0 {
		return d.null[d.devices[syscall.Gettid()]]
	}
	q := d.streams[s]
	if q == nil {
		d.wrong = append(d.wrong, fmt.Sprintf("%#x is no stream", uintptr(s)))
		q = d.null[0]
	}
	return q
}

func (d *modelDevice) submit(s driver.Stream) {
	op := d.order(s, nil)
	thread := syscall.Gettid()
	d.told[thread] = append(d.told[thread], op)
}

// order puts what touches no memory into a stream: the records of events and the
// waits for them.
func (d *modelDevice) order(s driver.Stream, after *modelOp) *modelOp {
	op := &modelOp{after: after}
	q := d.stream(s)
	q.queue = append(q.queue, op)
	return op
}

// returned is called when the calling thread's mgpu call is over.
func (d *modelDevice) returned() {
	d.mu.Lock()
	defer d.mu.Unlock()
	thread := syscall.Gettid()
	for _, op := range d.told[thread] {
		op.known = true
	}
	d.told[thread] = d.told[thread][:0]
}

// unfinished lists the work of which the program knows that it was submitted.
func (d *modelDevice) unfinished() (ops []*modelOp) {
	d.mu.Lock()
	defer d.mu.Unlock()
	take := func(s *modelStream) {
		for _, op := range s.queue {
			if op.known {
				ops = append(ops, op)
			}
		}
	}
	for _, s := range d.streams {
		take(s)
	}
	for _, s := range d.null {
		take(s)
	}
	return ops
}

// pendingOf tells how many of ops are not done.
func (d *modelDevice) pendingOf(ops []*modelOp) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, op := range ops {
		if !op.done {
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
	defer d.mu.Unlock()
	d.devices[syscall.Gettid()] = device
	return nil
}

func (d *modelDevice) Device() (int, error) {
	d.begin()
	defer d.mu.Unlock()
	return d.devices[syscall.Gettid()], nil
}

func (d *modelDevice) LaunchKernel(_ driver.Function, l driver.Launch) error {
	d.begin()
	defer d.mu.Unlock()
	d.submit(l.Stream)
	return nil
}

func (d *modelDevice) Memcpy(_, _ driver.Ptr, _ uint64, s driver.Stream) error {
	d.begin()
	defer d.mu.Unlock()
	d.submit(s)
	return nil
}

func (d *modelDevice) Memset32(_ driver.Ptr, _ uint32, _ uint64, s driver.Stream) error {
	return d.Memcpy(0, 0, 0, s)
}

func (d *modelDevice) StreamCreate() (driver.Stream, error) {
	d.begin()
	defer d.mu.Unlock()
	d.next += 64
	d.streams[driver.Stream(d.next)] = &modelStream{device: d.devices[syscall.Gettid()]}
	return driver.Stream(d.next), nil
}

// StreamDestroy lets the stream's work go on.
func (d *modelDevice) StreamDestroy(s driver.Stream) error {
	d.begin()
	defer d.mu.Unlock()
	d.null = append(d.null, d.stream(s)) // where nobody submits to it any more
	delete(d.streams, s)
	return nil
}

func (d *modelDevice) StreamSynchronize(s driver.Stream) error {
	d.begin()
	defer d.mu.Unlock()
	q := d.stream(s)
	if n := len(q.queue); n > 0 {
		last := q.queue[n-1]
		d.finish(func() bool { return last.done })
	}
	return nil
}

func (d *modelDevice) StreamIdle(s driver.Stream) (bool, error) {
	d.begin()
	defer d.mu.Unlock()
	return len(d.stream(s).queue) == 0, nil
}

func (d *modelDevice) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	d.begin()
	defer d.mu.Unlock()
	d.order(s, d.events[e])
	return nil
}

func (d *modelDevice) EventCreate() (driver.Event, error) {
	d.begin()
	defer d.mu.Unlock()
	d.next += 64
	d.events[driver.Event(d.next)] = nil
	return driver.Event(d.next), nil
}

func (d *modelDevice) EventDestroy(e driver.Event) error {
	d.begin()
	defer d.mu.Unlock()
	delete(d.events, e)
	return nil
}

func (d *modelDevice) EventRecord(e driver.Event, s driver.Stream) error {
	d.begin()
	defer d.mu.Unlock()
	d.events[e] = d.order(s, nil)
	return nil
}

func (d *modelDevice) EventDone(e driver.Event) (bool, error) {
	d.begin()
	defer d.mu.Unlock()
	op := d.events[e]
	return op == nil || op.done, nil
}

func (d *modelDevice) EventSynchronize(e driver.Event) error {
	d.begin()
	defer d.mu.Unlock()
	if op := d.events[e]; op != nil {
		d.finish(func() bool { return op.done })
	}
	return nil
}

// modelMemory is little, so that it runs out now and then.
const modelMemory = 24 << 20

func (d *modelDevice) MemAlloc(bytes uint64) (driver.Ptr, error) {
	d.begin()
	defer d.mu.Unlock()
	used := bytes
	for _, n := range d.memory {
		used += n
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
	d.memory[p] = bytes
	return p, nil
}

func (d *modelDevice) MemAllocManaged(bytes uint64) (driver.Ptr, error) { return d.MemAlloc(bytes) }

func (d *modelDevice) MemFree(p driver.Ptr) error {
	d.begin()
	defer d.mu.Unlock()
	d.all()
	if _, ok := d.memory[p]; !ok {
		return &driver.Error{Call: "modelFree", Name: "invalid value", Code: driver.InvalidValue}
	}
	delete(d.memory, p)
	d.spare = append(d.spare, p)
	return nil
}

func (d *modelDevice) HostRegister(driver.Ptr, uint64) error { return nil }

func (d *modelDevice) MemInfo() (free, total uint64, err error) {
	return modelMemory, modelMemory, nil
}

func (d *modelDevice) DeviceSynchronize() error {
	d.begin()
	defer d.mu.Unlock()
	d.all()
	return nil
}

// all does all work.
func (d *modelDevice) all() {
	d.finish(func() bool {
		for _, s := range d.streams {
			if len(s.queue) > 0 {
				return false
			}
		}
		for _, s := range d.null {
			if len(s.queue) > 0 {
				return false
			}
		}
		kept := d.null[:d.count]
		d.null = kept
		return true
	})
}
