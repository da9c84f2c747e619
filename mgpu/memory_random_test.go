package mgpu

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// randomPrograms runs programs of random calls on a model device. It checks that no memory is
// reused while work submitted before its free is unfinished, and that memory in use is neither
// handed out nor freed.
type randomPrograms struct {
	h *host
	d *modelDevice

	mu     sync.Mutex
	held   map[uintptr]bool
	freed  map[uintptr]modelFree
	sees   bool // a call has returned after which frees wait for the device
	wrong  []string
	reused int // reused blocks
	hot    int // reused blocks whose work was unfinished at the free
}

// modelFree is the state when a block was freed.
type modelFree struct {
	device  int        // of the block
	pending []*modelOp // unfinished work
	waits   bool       // the free has to wait for the device
}

// holds reports whether unfinished work on a known stream forbids to reuse the block. A
// driver's free waits for the block's device only, so work on unknown streams can't be
// protected.
func (f *modelFree) holds(s *modelStream, byDriver bool) bool {
	return s.device == f.device || !byDriver && !(f.waits && (s.alien || s.ended))
}

// program is one thread of a program.
type program struct {
	*randomPrograms
	r               *rand.Rand
	streams, events []uintptr
	blocks          []uintptr
	devices         map[uintptr]int // of blocks
	foreign         []uintptr
	cache, session  uintptr
	scoped          map[uintptr]bool
	shares          bool // may ask for host-shared memory
	strangers       bool // may use streams of the driver's own
	shown           bool // the call under way makes frees wait
}

func (p *randomPrograms) complain(format string, args ...any) {
	p.wrong = append(p.wrong, fmt.Sprintf(format, args...))
}

func (p *program) stream() uintptr {
	if len(p.streams) == 0 || p.r.IntN(12) == 0 {
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

var modelSizes = []uint64{1, 500, 512, 4000, 4096, 65536, 65537, 1 << 20, 1<<20 + 1}

func (p *program) alloc() {
	if len(p.blocks) > 24 {
		return
	}
	bytes := modelSizes[p.r.IntN(len(modelSizes))]
	var a uintptr
	if p.shares && p.r.IntN(20) == 0 {
		p.shown = true
		a = p.h.MemAlloc(bytes, 0, true)
	} else {
		a = p.h.Runtime.MemAlloc(bytes, p.stream(), false, Origin{Session: p.session})
	}
	if a == 0 {
		return // out of memory
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[a] {
		p.complain("%#x is given out twice", a)
	}
	p.held[a] = true
	back := p.d.wasBack(driver.Ptr(a))
	if free, ok := p.freed[a]; ok {
		p.reused++
		if len(free.pending) > 0 {
			p.hot++
		}
		if n := p.d.pendingOf(free.pending, func(s *modelStream) bool { return free.holds(s, back) }); n > 0 {
			p.complain("%#x is given out while %d pieces of work from before its free are pending", a, n)
		}
		delete(p.freed, a)
	}
	p.devices[a], _ = p.d.Device()
	p.blocks = append(p.blocks, a)
	if p.session != 0 {
		p.scoped[a] = true
	}
}

// let records a block as free before the call that frees it. waits: the call may have to wait.
func (p *program) let(a uintptr, waits bool) modelFree {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.held, a)
	free := modelFree{p.devices[a], p.d.unfinished(), waits && p.sees}
	p.freed[a] = free
	return free
}

// free frees a block. Work that other threads submit, or streams that they show, during the
// call are not covered.
func (p *program) free() {
	if len(p.blocks) == 0 {
		return
	}
	i := p.r.IntN(len(p.blocks))
	a := p.blocks[i]
	p.blocks[i] = p.blocks[len(p.blocks)-1]
	p.blocks = p.blocks[:len(p.blocks)-1]
	delete(p.scoped, a)
	free := p.let(a, true)
	p.h.MemFree(a)
	n := p.d.pendingOf(free.pending, func(s *modelStream) bool { return s.device == free.device })
	if free.waits && n > 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.complain("a free returned while %d pieces of work were pending, and the host could see that", n)
	}
}

func (p *program) begin() {
	if p.session == 0 {
		p.session = p.h.AllocCacheBegin(p.cache)
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
	p.h.AllocCacheEnd(p.cache, p.session)
	p.session = 0
}

// modelSteps are a program's actions; listed several times, an action is more frequent.
var modelSteps = []func(*program){
	(*program).alloc, (*program).alloc, (*program).alloc, (*program).free, (*program).free, (*program).free,
	func(p *program) { p.launch() }, func(p *program) { p.launch() }, func(p *program) { p.launch() },
	func(p *program) { p.h.Memcpy(1<<40, 1<<41, 64, p.any()) },
	func(p *program) { p.h.Memset32(1<<40, 1, 64, p.any()) },
	func(p *program) {
		if len(p.streams) < 5 {
			s := p.h.StreamCreate()
			if n := p.d.busy(driver.Stream(s)); n > 0 {
				p.mu.Lock()
				p.complain("stream %#x is handed out with %d pieces of work", s, n)
				p.mu.Unlock()
			}
			p.streams = append(p.streams, s)
		}
	},
	func(p *program) { // work that another thread is submitting is visible: wait for its stream
		if s := p.d.acquireStream(true); s != 0 {
			p.h.StreamSynchronize(uintptr(s))
		}
	},
	func(p *program) { // or take the stream over
		if s := p.d.acquireStream(false); s != 0 {
			p.streams = append(p.streams, uintptr(s))
		}
	},
	func(p *program) { // or destroy the stream
		if s := p.d.acquireStream(false); s != 0 {
			p.h.StreamDestroy(uintptr(s))
		}
	},
	func(p *program) {
		if n := len(p.streams); n > 0 {
			p.h.StreamDestroy(p.streams[n-1])
			p.streams = p.streams[:n-1]
		}
	},
	func(p *program) { p.h.StreamSynchronize(p.any()) },
	func(p *program) {
		if len(p.events) < 3 {
			p.events = append(p.events, p.h.EventCreate())
		}
	},
	func(p *program) {
		if n := len(p.events); n > 0 {
			p.h.EventDestroy(p.events[n-1])
			p.events = p.events[:n-1]
		}
	},
	func(p *program) {
		if e := p.event(); e != 0 {
			p.h.EventRecord(e, p.any())
		}
	},
	func(p *program) {
		if e := p.event(); e != 0 {
			p.h.StreamWaitEvent(p.any(), e)
		}
	},
	func(p *program) {
		if e := p.event(); e != 0 {
			p.h.EventSynchronize(e)
		}
	},
	func(p *program) { // a stream passed as event
		if len(p.streams) > 0 {
			p.h.StreamWaitEvent(p.any(), p.streams[0])
		}
	},
	(*program).begin, (*program).end,
	func(p *program) {
		if p.r.IntN(50) == 0 {
			p.h.AllocCacheTrim(0)
		}
	},
	func(p *program) { // a snapshot of all blocks
		if p.r.IntN(50) == 0 {
			p.h.MemoryStats(0)
			_ = p.h.WriteMemory(io.Discard)
		}
	},
	func(p *program) { p.h.Scratch(uintptr(1+p.r.IntN(3)), 1+p.r.Uint64N(10000), p.stream(), 0) },
	func(p *program) {
		if p.h.core.Load() != nil && p.h.core.Load().devices > 1 {
			p.h.SetDefaultDevice(int32(p.r.IntN(2)))
		}
	},
	func(p *program) {
		if p.strangers && len(p.foreign) < 2 && p.r.IntN(200) == 0 {
			p.foreign = append(p.foreign, p.d.alien())
		}
	},
	func(p *program) {
		if p.shares && p.r.IntN(500) == 0 {
			p.shown = true
			p.h.HostRegister(1<<42, 4096)
		}
	},
}

func (p *program) event() uintptr {
	if len(p.events) == 0 {
		return 0
	}
	return p.events[p.r.IntN(len(p.events))]
}

func (p *program) launch() {
	p.h.LaunchKernel(&Launch{Function: 0x500, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}, Stream: p.any()})
}

func (p *program) run(steps int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range steps {
		modelSteps[p.r.IntN(len(modelSteps))](p)
		for _, s := range p.d.returned() {
			p.streams = slices.DeleteFunc(p.streams, func(own uintptr) bool { return own == uintptr(s) })
		}
		if p.shown {
			p.mu.Lock()
			p.sees = true
			p.mu.Unlock()
		}
	}
	p.end()
}

func TestNothingIsReusedWhileWorkFromBeforeItsFreeIsPending(t *testing.T) {
	operations := 20_000 // threads that wait for each other take a while
	if os.Getenv("MGPU_TEST_LONG") != "" {
		operations = 1_000_000
	}
	again, hot, run := 0, 0, 0
	for seed := uint64(1); run < operations; seed++ {
		threads, devices := 1+int(seed%3), 1+int(seed/3%2)
		d := newModelDevice(devices, seed)
		d.threads = threads
		all := &randomPrograms{h: over(d, Config{}), d: d, held: map[uintptr]bool{}, freed: map[uintptr]modelFree{}}
		cache := all.h.AllocCacheCreate()
		steps := 3000 / threads
		var wg sync.WaitGroup
		for i := range threads {
			p := &program{randomPrograms: all, r: rand.New(rand.NewPCG(seed, uint64(i))), cache: cache,
				devices: map[uintptr]int{}, scoped: map[uintptr]bool{}, shares: seed%4 == 1, strangers: seed%5 == 1}
			wg.Add(1)
			go func() { defer wg.Done(); p.run(steps) }()
		}
		wg.Wait()
		run += threads * steps
		require.Empty(t, all.wrong, "seed %d", seed)
		require.Empty(t, d.wrong, "seed %d", seed)
		again, hot = again+all.reused, hot+all.hot
	}
	require.Greater(t, again, operations/50, "the programs reuse something")
	require.Greater(t, hot, operations/200, "also what had work pending when it was freed")
}
