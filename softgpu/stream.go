package softgpu

import (
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// stream is a queue of operations that run one after another. While it has work, one goroutine at a time runs it: one
// that the submission started, or that of a caller who waits for the work.
type stream struct {
	dev    *device
	handle uintptr // zero: the null stream
	run    func()  // runs the queue on its own goroutine; made once
	gone   bool    // destroyed by the program; guarded by dev.order

	submitted atomic.Uint64 // number of submitted operations; written with mu locked
	done      atomic.Uint64 // number of finished operations; written with mu locked

	mu      sync.Mutex
	idle    sync.Cond // broadcast when done changes
	waiters int
	queue   []op // a ring; its length is a power of two
	head    uint64
	running bool // a goroutine executes operations
	called  bool // a goroutine was started and has not begun yet

	debts   []debt      // unreported failures
	failing atomic.Bool // there are debts; written with mu locked

	// Of the running operation; used by the goroutine that set running.
	current  op
	dispatch emu.Dispatch
	view     view
}

// fence is the moment at which a stream has finished its first n operations.
type fence struct {
	s *stream
	n uint64
}

func (f fence) passed() bool { return f.s == nil || f.s.done.Load() >= f.n }

func newStream(d *device) *stream {
	s := &stream{dev: d, queue: make([]op, 8), view: view{heap: d.heap}}
	if d.check != nil && d.check.Modes().Strict {
		s.view.within = d.registered
	}
	s.idle.L = &s.mu
	s.run = func() {
		s.mu.Lock()
		s.called = false
		s.work(^uint64(0))
		s.mu.Unlock()
	}
	return s
}

// pending reports whether the stream has work that is not finished.
func (s *stream) pending() bool { return s.done.Load() < s.submitted.Load() }

// last returns the fence after all submitted operations.
func (s *stream) last() fence { return fence{s, s.submitted.Load()} }

// push appends o to the queue. It starts a goroutine for it unless the caller is going to wait.
func (s *stream) push(o op, wait bool) fence {
	s.mu.Lock()
	n := s.submitted.Load()
	if held := n - s.head; held == uint64(len(s.queue)) {
		larger := make([]op, 2*len(s.queue))
		for i := s.head; i < n; i++ {
			larger[i&uint64(len(larger)-1)] = s.queue[i&uint64(len(s.queue)-1)]
		}
		s.queue = larger
	}
	s.queue[n&uint64(len(s.queue)-1)] = o
	s.submitted.Store(n + 1)
	start := !wait && !s.running && !s.called
	if start {
		s.called = true
	}
	s.mu.Unlock()
	if start {
		go s.run()
	}
	return fence{s, n + 1}
}

// wait returns when the fence is passed. If no goroutine runs its stream, the caller does. The order of submissions
// guarantees that the wait ends: an operation waits only for earlier ones.
func (f fence) wait() {
	s := f.s
	if f.passed() {
		return
	}
	s.mu.Lock()
	for s.done.Load() < f.n {
		if !s.running {
			s.work(f.n)
			continue
		}
		s.waiters++
		s.idle.Wait()
		s.waiters--
	}
	s.mu.Unlock()
}

// work runs operations until the first upTo are done or none is left. mu is locked at the call and at the return.
func (s *stream) work(upTo uint64) {
	if s.running {
		return
	}
	s.running = true
	for n := s.done.Load(); n < s.submitted.Load() && n < upTo; n++ {
		at := &s.queue[n&uint64(len(s.queue)-1)]
		s.current, *at = *at, op{}
		s.head = n + 1
		s.mu.Unlock()
		err := s.execute(&s.current, n+1)
		s.mu.Lock()
		if err != nil {
			s.owe(&failure{err: err}, n+1, true)
		}
		s.done.Store(n + 1)
		if s.waiters > 0 {
			s.idle.Broadcast()
		}
	}
	s.running = false
	if s.pending() && !s.called {
		s.called = true
		go s.run()
	}
}

// StreamCreate implements driver.Driver.
func (d *Driver) StreamCreate() (driver.Stream, error) {
	dev := d.current()
	s := newStream(dev)
	s.handle = d.streams.add(s)
	dev.remember(s)
	return driver.Stream(s.handle), nil
}

// StreamDestroy implements driver.Driver. It reports an unreported failure of the stream's work; the stream is
// destroyed even then. Pending work still runs; its failure is reported by a wait for the device.
func (d *Driver) StreamDestroy(h driver.Stream) error {
	s := d.streams.remove(uintptr(h))
	if s == nil {
		return invalidHandle.of("hipStreamDestroy", "no stream has the handle %#x", uintptr(h))
	}
	return s.dev.abandon(s)
}

// StreamSynchronize implements driver.Driver. For the null stream it waits for all streams of the device, since all are
// ordered with it.
func (d *Driver) StreamSynchronize(h driver.Stream) error {
	s, err := d.stream("hipStreamSynchronize", h)
	if err != nil {
		return err
	}
	if s.handle == 0 {
		return s.dev.synchronize()
	}
	f := s.last()
	f.wait()
	return s.failed(f.n)
}

// StreamIdle implements driver.Driver. Like hipStreamQuery, it takes the unreported failure, also if there is more
// work.
func (d *Driver) StreamIdle(h driver.Stream) (bool, error) {
	s, err := d.stream("hipStreamQuery", h)
	if err != nil {
		return false, err
	}
	idle := !s.pending()
	if s.handle == 0 {
		idle = s.dev.quiet()
	}
	return idle, s.untoldFailure(s.done.Load())
}

// stream returns the stream with handle h, for a call.
func (d *Driver) stream(call string, h driver.Stream) (*stream, error) {
	if h == 0 {
		return d.current().null, nil
	}
	if s := d.streams.get(uintptr(h)); s != nil {
		return s, nil
	}
	return nil, invalidHandle.of(call, "no stream has the handle %#x", uintptr(h))
}
