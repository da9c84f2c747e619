// Package programs makes random programs of mgpu calls on a model device. They check that no
// memory is reused while work submitted before its free is unfinished, and that memory in use
// is neither handed out nor freed.
package programs

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/model/device"
)

// Library is what makes the calls of one program: of one thread.
type Library interface {
	MemAlloc(bytes uint64, stream uintptr, shared bool, session uintptr) uintptr
	MemFree(ptr, stream uintptr)
	Memcpy(dst, src uintptr, bytes uint64, stream uintptr)
	Memset32(dst uintptr, value uint32, count uint64, stream uintptr)
	LaunchKernel(*mgpu.Launch)
	StreamCreate() uintptr
	StreamDestroy(stream uintptr)
	StreamSynchronize(stream uintptr)
	EventSynchronize(event uintptr)
	Rest() // between two calls: the thread may end, and another go on
	End()  // after the last call
}

// Order is who decides which thread goes on.
type Order interface {
	Begin(threads int, seed uint64)
	Enter(thread int)
	Leave()
}

// Go makes all calls in Go.
type Go struct{ *mgpu.Runtime }

func (g Go) MemAlloc(bytes uint64, stream uintptr, shared bool, session uintptr) uintptr {
	return g.Runtime.MemAlloc(bytes, stream, shared, mgpu.Origin{Session: session})
}
func (g Go) MemFree(ptr, _ uintptr) { g.Runtime.MemFree(ptr) }
func (g Go) Memcpy(dst, src uintptr, bytes uint64, stream uintptr) {
	g.Runtime.Memcpy(dst, src, bytes, stream)
}
func (g Go) StreamSynchronize(stream uintptr) { g.Runtime.StreamSynchronize(stream) }
func (g Go) EventSynchronize(event uintptr)   { g.Runtime.EventSynchronize(event) }
func (g Go) Rest()                            {}
func (g Go) End()                             {}

// Programs are the threads of one process.
type Programs struct {
	Runtime *mgpu.Runtime
	Device  *device.Model
	Seed    uint64
	Library func(*rand.Rand) Library // of a thread, on which it is called
	// Destroys lets the programs destroy streams by the driver's own calls. The runtime's driver has to be unchecked.
	Destroys bool
	Shared   uintptr                // address of memory that the host sees; zero: the device has no such
	Order    Order                  // of the threads; nil: the Go scheduler's
	Kernels  []uintptr              // functions to launch: one for each thread, and one for all; nil: any
	Replace  func(function uintptr) // gives the function of a thread to other code; nil: that does not happen

	Reused int // reused blocks
	Hot    int // reused blocks whose work was unfinished at the free

	common uintptr // a stream that all threads use; zero: none

	mu    sync.Mutex
	held  map[uintptr]bool
	freed map[uintptr]freed
	sees  bool // a call has returned after which frees wait for the device
	wrong []string
}

// Bounds are those of the pool for the programs of a seed: the pool's own, or so few that streams
// are destroyed while they have work pending, and while other threads ask for it.
func Bounds(seed uint64) (idle, draining int) {
	if seed%4 == 3 {
		return 1, -1
	}
	return 0, 0
}

// freed is the state when a block was freed.
type freed struct {
	device  int            // of the block
	pending []*device.Work // unfinished work
	waits   bool           // the free has to wait for the device

	destroys bool // the pool destroys streams with work pending
}

// holds reports whether unfinished work on a known stream forbids to reuse the block. A driver's free waits for the
// block's device only. So a free that waits, because the host sees something or because a stream of the device was
// destroyed with work pending, ignores what other devices have on unknown and on destroyed streams.
func (f *freed) holds(s *device.Stream, byDriver bool) bool {
	return s.Device == f.device || !byDriver && !f.destroys && !s.Ended && !(f.waits && s.Alien)
}

// program is one thread of a program.
type program struct {
	*Programs
	r               *rand.Rand
	lib             Library
	streams, events []uintptr
	blocks          []uintptr
	taken           map[uintptr]bool // streams of calls of other threads
	devices         map[uintptr]int  // of blocks
	foreign         []uintptr
	cache, session  uintptr
	scoped          map[uintptr]bool
	shares          bool // may have memory that the host sees
	copies          bool // ... by copies alone
	strangers       bool // may use streams of the driver's own
	shown           bool // the call under way makes frees wait
	calm            bool // often waits for all its work, and allocates what C keeps
	kernels         []uintptr
}

func (p *Programs) lock() {
	if p.Device.Quiet != nil {
		p.Device.Quiet(true)
	}
	p.mu.Lock()
}

func (p *Programs) unlock() {
	p.mu.Unlock()
	if p.Device.Quiet != nil {
		p.Device.Quiet(false)
	}
}

func (p *Programs) complain(format string, args ...any) {
	p.wrong = append(p.wrong, fmt.Sprintf(format, args...))
}

func (p *program) stream() uintptr {
	if p.common != 0 && p.r.IntN(2) == 0 {
		return p.common
	}
	if len(p.streams) == 0 || !p.calm && p.r.IntN(12) == 0 {
		return 0
	}
	return p.streams[p.r.IntN(len(p.streams))]
}

// any is stream for calls by which the library sees a foreign stream.
func (p *program) any() uintptr {
	if len(p.foreign) > 0 && p.r.IntN(12) == 0 {
		p.shown = true
		return p.foreign[p.r.IntN(len(p.foreign))]
	}
	return p.stream()
}

var sizes = []uint64{1, 500, 512, 4000, 4096, 65536, 65537, 1 << 20, 1<<20 + 1}

func (p *program) alloc() {
	if len(p.blocks) > 24 {
		return
	}
	bytes := sizes[p.r.IntN(len(sizes))]
	if p.calm { // C keeps small ones
		bytes %= 1 << 16
	}
	var a uintptr
	if p.shares && !p.copies && p.r.IntN(20) == 0 {
		p.shown = true
		a = p.lib.MemAlloc(bytes, 0, true, 0)
	} else {
		a = p.lib.MemAlloc(bytes, p.stream(), false, p.session)
	}
	if a == 0 {
		return // out of memory
	}
	p.lock()
	defer p.unlock()
	if p.held[a] {
		p.complain("%#x is given out twice", a)
	}
	p.held[a] = true
	back := p.Device.WasBack(driver.Ptr(a))
	if free, ok := p.freed[a]; ok {
		p.Reused++
		if len(free.pending) > 0 {
			p.Hot++
		}
		if n := p.Device.PendingOf(free.pending, func(s *device.Stream) bool { return free.holds(s, back) }); n > 0 {
			p.complain("%#x is given out while %d pieces of work from before its free are pending", a, n)
		}
		delete(p.freed, a)
	}
	p.devices[a], _ = p.Device.Device()
	p.blocks = append(p.blocks, a)
	if p.session != 0 {
		p.scoped[a] = true
	}
}

// let records a block as free before the call that frees it. waits: the call may have to wait.
func (p *program) let(a uintptr, waits bool) freed {
	p.lock()
	defer p.unlock()
	delete(p.held, a)
	free := freed{p.devices[a], p.Device.Unfinished(), waits && p.sees, p.Seed%4 == 3}
	p.freed[a] = free
	return free
}

// free frees a block. Work that other threads submit, or streams that they show, during the
// call are not covered.
func (p *program) free() {
	if len(p.blocks) == 0 {
		return
	}
	if p.r.IntN(3) != 0 {
		p.calmDown()
	}
	i := p.r.IntN(len(p.blocks))
	a := p.blocks[i]
	p.blocks[i] = p.blocks[len(p.blocks)-1]
	p.blocks = p.blocks[:len(p.blocks)-1]
	delete(p.scoped, a)
	free := p.let(a, true)
	p.lib.MemFree(a, p.stream())
	for _, w := range free.pending { // also what another thread's call submits
		free.waits = free.waits || w.Seen() && w.On(func(s *device.Stream) bool { return s.Device == free.device && !s.Alien })
	}
	p.Device.Freed(slices.DeleteFunc(slices.Clone(free.pending), func(w *device.Work) bool {
		return !w.On(func(s *device.Stream) bool { return s.Device == free.device && !s.Alien })
	}))
	own := func(s *device.Stream) bool { return s.Device == free.device && !s.Alien }
	if unasked := p.Device.Unasked(free.pending, own); p.Shared != 0 && unasked != 0 {
		p.lock()
		p.complain("a free returned without an answer about %#x, which a copy uses", unasked)
		p.unlock()
	}
	n := p.Device.PendingOf(free.pending, func(s *device.Stream) bool { return s.Device == free.device })
	if free.waits && n > 0 {
		p.lock()
		defer p.unlock()
		p.complain("a free returned while %d pieces of work were pending, and the host could see that", n)
	}
}

func (p *program) begin() {
	if p.session == 0 && !p.calm {
		p.session = p.Runtime.AllocCacheBegin(p.cache)
	}
}

func (p *program) end() {
	if p.session == 0 {
		return
	}
	kept := p.blocks[:0]
	for _, a := range p.blocks {
		if p.scoped[a] {
			p.let(a, false)
		} else {
			kept = append(kept, a)
		}
	}
	p.blocks = kept
	clear(p.scoped)
	p.Runtime.AllocCacheEnd(p.cache, p.session)
	p.session = 0
}

// actions are a program's actions; listed several times, an action is more frequent.
var actions = []func(*program){
	(*program).alloc, (*program).alloc, (*program).alloc, (*program).free, (*program).free, (*program).free,
	func(p *program) { p.launch() }, func(p *program) { p.launch() }, func(p *program) { p.launch() },
	func(p *program) {
		n := 1
		if p.r.IntN(40) == 0 { // more addresses than the library has slots for
			n = 80
		}
		for range n {
			p.copy(p.pageable(1<<40), p.pageable(1<<41))
			p.loses(0)
		}
	},
	func(p *program) {
		p.Device.Begins()
		p.lib.Memset32(p.pageable(1<<40), 1, 64, p.any())
	},
	func(p *program) { // a copy whose end the host may see
		if p.Shared != 0 && p.shares && (p.copies || p.r.IntN(100) == 0) && p.r.IntN(5) == 0 {
			p.shown = true
			if p.r.IntN(2) == 0 {
				p.copy(p.Shared, p.pageable(1<<41))
			} else {
				p.copy(p.pageable(1<<40), p.Shared)
			}
		}
	},
	func(p *program) {
		if len(p.streams) < 5 && !(p.calm && len(p.streams) > 0) {
			s := p.lib.StreamCreate()
			if n := p.Device.Busy(driver.Stream(s)); n > 0 {
				p.lock()
				p.complain("stream %#x is handed out with %d pieces of work", s, n)
				p.unlock()
			}
			p.streams = append(p.streams, s)
		}
	},
	func(p *program) { // work that another thread is submitting is visible: wait for its stream
		if p.Destroys {
			return // the other thread may destroy the stream during this wait
		}
		if s := p.Device.AcquireStream(true); s != 0 {
			p.lib.StreamSynchronize(uintptr(s))
		}
	},
	func(p *program) { // or take the stream over
		if s := p.Device.AcquireStream(false); s != 0 {
			p.streams = append(p.streams, uintptr(s))
			p.taken[uintptr(s)] = true
		}
	},
	(*program).destroyAcquired, (*program).destroyByDriver,
	func(p *program) {
		if p.r.IntN(4) != 0 {
			p.calmDown()
		}
		if n := len(p.streams); n > 0 {
			delete(p.taken, p.streams[n-1])
			p.lib.StreamDestroy(p.streams[n-1])
			p.streams = p.streams[:n-1]
		}
	},
	func(p *program) { p.lib.StreamSynchronize(p.any()) },
	func(p *program) {
		if len(p.events) < 3 {
			p.events = append(p.events, p.Runtime.EventCreate())
		}
	},
	func(p *program) {
		if n := len(p.events); n > 0 {
			p.Runtime.EventDestroy(p.events[n-1])
			p.events = p.events[:n-1]
		}
	},
	func(p *program) {
		if e := p.event(); e != 0 {
			p.Runtime.EventRecord(e, p.any())
		}
	},
	func(p *program) {
		if e := p.event(); e != 0 {
			p.Runtime.StreamWaitEvent(p.any(), e)
		}
	},
	func(p *program) {
		if e := p.event(); e != 0 {
			p.lib.EventSynchronize(e)
		}
	},
	func(p *program) { // a stream passed as event
		if len(p.streams) > 0 {
			p.Runtime.StreamWaitEvent(p.any(), p.streams[0])
		}
	},
	(*program).calmDown, (*program).calmDown,
	(*program).begin, (*program).end,
	func(p *program) {
		if p.r.IntN(50) == 0 {
			p.Runtime.AllocCacheTrim(0)
		}
	},
	func(p *program) { // a snapshot of all blocks
		if p.r.IntN(50) == 0 {
			p.Runtime.MemoryStats(0)
			_ = p.Runtime.WriteMemory(io.Discard)
		}
	},
	func(p *program) { p.Runtime.Scratch(uintptr(1+p.r.IntN(3)), 1+p.r.Uint64N(10000), p.stream(), 0) },
	func(p *program) {
		if p.Device.DeviceCount() > 1 {
			p.Runtime.SetDefaultDevice(int32(p.r.IntN(2)))
		}
	},
	func(p *program) {
		if p.strangers && len(p.foreign) < 2 && p.r.IntN(200) == 0 {
			p.foreign = append(p.foreign, p.Device.AlienStream())
		}
	},
	func(p *program) {
		if p.shares && !p.copies && p.r.IntN(500) == 0 {
			p.shown = true
			p.Runtime.HostRegister(1<<42, 4096)
		}
	},
}

// destroyAcquired destroys a stream to which another thread is submitting work that is visible.
func (p *program) destroyAcquired() {
	if p.calm && p.r.IntN(10) != 0 {
		return // its work would be pending for long
	}
	if s := p.Device.AcquireStream(false); s != 0 {
		p.lib.StreamDestroy(uintptr(s))
	}
}

// destroyByDriver destroys a stream of the program's by the driver's own call. The library does not learn of it.
func (p *program) destroyByDriver() {
	n := len(p.streams)
	if !p.Destroys || n == 0 || p.r.IntN(3) != 0 {
		return
	}
	if s := p.streams[n-1]; !p.taken[s] && p.Device.DestroyStream(driver.Stream(s)) {
		p.streams = p.streams[:n-1]
	}
}

func (p *program) event() uintptr {
	if len(p.events) == 0 {
		return 0
	}
	return p.events[p.r.IntN(len(p.events))]
}

// calmDown waits for the program's streams.
func (p *program) calmDown() {
	if p.calm {
		for _, s := range append(p.streams, 0, p.common) {
			p.lib.StreamSynchronize(s)
		}
	}
}

// pageable is an address in the program's memory: of more places than the library has slots for.
func (p *program) pageable(from uintptr) uintptr { return from + uintptr(p.r.IntN(96))<<12 }

func (p *program) copy(dst, src uintptr) {
	p.Device.Begins()
	p.lib.Memcpy(dst, src, 64, p.any())
}

func (p *program) launch() {
	l := mgpu.Launch{Function: 0x500, Grid: mgpu.Dims{1, 1, 1}, Block: mgpu.Dims{1, 1, 1}, Stream: p.any()}
	if p.kernels != nil {
		p.launchOften(l)
	} else {
		p.lib.LaunchKernel(&l)
	}
	if p.r.IntN(3) != 0 {
		p.calmDown()
	}
}

// launchOften makes launches that C makes by graphs, once they have been repeated.
func (p *program) launchOften(l mgpu.Launch) {
	if p.r.IntN(8) == 0 && p.Replace != nil {
		p.Replace(p.kernels[0])
	}
	for range 1 + p.r.IntN(40)*p.r.IntN(10) {
		l.Function = p.kernels[p.r.IntN(8)/7]
		l.Grid[2] = 1 + int64(p.r.IntN(12)/11)
		l.Params = uintptr(1 + p.r.IntN(16)/15) // the value of the parameter
		p.lib.LaunchKernel(&l)
		if p.loses(l.Stream) {
			return
		}
		if p.r.IntN(8) == 0 {
			p.lib.StreamSynchronize(l.Stream)
		}
	}
}

// loses forgets the streams that other threads took during the latest call, and reports whether stream is one of them.
func (p *program) loses(stream uintptr) (lost bool) {
	for _, s := range p.Device.Returned() {
		lost = lost || uintptr(s) == stream
		p.streams = slices.DeleteFunc(p.streams, func(own uintptr) bool { return own == uintptr(s) })
	}
	return lost
}

func (p *program) run(steps int) {
	p.lib = p.Library(p.r)
	defer p.lib.End()
	for range steps {
		if p.calm && len(p.streams) == 0 {
			p.streams = append(p.streams, p.lib.StreamCreate())
		}
		actions[p.r.IntN(len(actions))](p)
		p.loses(0)
		if p.shown {
			p.lock()
			p.sees = true
			p.unlock()
		}
		p.lib.Rest()
	}
	p.end()
}

// Run runs so many steps in all, of so many threads, and returns what was wrong.
func (p *Programs) Run(threads, steps int) []string {
	p.held, p.freed = map[uintptr]bool{}, map[uintptr]freed{}
	p.Device.Threads = threads
	cache := p.Runtime.AllocCacheCreate()
	if p.Seed%3 == 0 {
		p.common = p.Runtime.StreamCreate()
		p.Device.Common = driver.Stream(p.common)
	}
	if p.Order != nil {
		p.Order.Begin(threads, p.Seed)
	}
	var wg sync.WaitGroup
	for i := range threads {
		r := rand.New(rand.NewPCG(p.Seed, uint64(i)))
		one := &program{Programs: p, r: r, cache: cache, devices: map[uintptr]int{}, taken: map[uintptr]bool{}, scoped: map[uintptr]bool{},
			shares: p.Seed%4 == 1 || p.Seed%8 == 4, copies: p.Seed%8 == 4 || p.Seed%8 == 5, strangers: p.Seed%5 == 1, calm: p.Seed%2 == 0}
		if p.Kernels != nil {
			one.kernels = []uintptr{p.Kernels[i], p.Kernels[threads]}
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if p.Order != nil {
				p.Order.Enter(i)
				defer p.Order.Leave()
			}
			one.run(steps / threads)
		}()
	}
	wg.Wait()
	return append(p.wrong, p.Device.Wrong()...)
}
