package fault

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// said collects the lines of a runtime.
type said struct {
	mu    sync.Mutex
	lines []string
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

func (s *said) drain() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.lines
	s.lines = nil
	return lines
}

// bench is a runtime over the software GPU, with calls that fail.
type bench struct {
	r      *mgpu.Runtime
	d      *Driver
	said   *said
	images [2][]byte
}

func newBench(t testing.TB, devices int, cache bool) *bench {
	t.Helper()
	gpu, err := softgpu.Open(softgpu.Options{Devices: devices})
	require.NoError(t, err)
	images := drivertest.BuildAMD(t, "gfx906")
	return onDriver(gpu, [2][]byte{images.Kernels(), images.Other()}, cache)
}

func onDriver(gpu driver.Driver, images [2][]byte, cache bool) *bench {
	b := &bench{d: NewDriver(gpu), said: new(said), images: images}
	b.r = mgpu.New(mgpu.Config{
		Drivers: []mgpu.Opener{{Name: "faulty", Open: func() (driver.Driver, error) { return b.d, nil }}},
		NoCache: !cache, Stderr: b.said,
	})
	return b
}

const words = 64

var step = []byte("step\x00")

// load loads an image.
func (b *bench) load(image int) uintptr {
	m, _ := b.r.ModuleLoad(address(b.images[image]))
	return m
}

func (b *bench) launch(f, stream uintptr, args ...uint64) {
	p := pointers(args...)
	b.r.LaunchKernel(&mgpu.Launch{Function: f, Grid: mgpu.Dims{1, 1, 1}, Block: mgpu.Dims{words, 1, 1}, Stream: stream, Params: p.address()})
	runtime.KeepAlive(p)
}

// loop is the program with a launch in a loop. It reports whether its results are right.
func (b *bench) loop(rounds int) bool {
	out := make([]byte, 4*words)
	s := b.r.StreamCreate()
	p := b.r.MemAlloc(4*words, s, false, mgpu.Origin{})
	b.r.Memset32(p, 0, words, s)
	b.r.StreamSynchronize(s)
	b.r.StreamDestroy(s)
	want := uint32(0)
	for range rounds {
		m := b.load(0)
		f := b.r.ModuleGetFunction(m, address(step))
		s := b.r.StreamCreate()
		b.launch(f, s, uint64(p), words)
		b.r.StreamSynchronize(s)
		b.r.StreamDestroy(s)
		b.r.ModuleUnload(m)
		want = 3*want + 1
	}
	s = b.r.StreamCreate()
	b.r.Memcpy(address(out), p, 4*words, s)
	b.r.StreamSynchronize(s)
	b.r.StreamDestroy(s)
	b.r.MemFree(p)
	for i := range words {
		if binary.NativeEndian.Uint32(out[4*i:]) != want {
			return false
		}
	}
	return true
}

// caller makes random calls. At the end it releases what it has.
type caller struct {
	b                       *bench
	streams, events, blocks []uintptr
	modules                 []uintptr
	host                    []byte
	wrong                   []string
}

func pick(all []uintptr, n int) uintptr {
	if len(all) == 0 {
		return 0
	}
	return all[n%len(all)]
}

func drop(all *[]uintptr, n int) uintptr {
	if len(*all) == 0 {
		return 0
	}
	i := n % len(*all)
	h := (*all)[i]
	*all = append((*all)[:i], (*all)[i+1:]...)
	return h
}

// keep stores the result of a call.
func keep(all *[]uintptr, h uintptr) {
	if h != 0 {
		*all = append(*all, h)
	}
}

// steps are the calls that a caller makes; n chooses among its handles.
var steps = []func(p *caller, n int){
	func(p *caller, n int) { p.createStream() },
	func(p *caller, n int) { p.createStream() },
	func(p *caller, n int) { keep(&p.events, p.b.r.EventCreate()) },
	func(p *caller, n int) { keep(&p.blocks, p.b.r.MemAlloc(4*words, 0, n%3 == 0, mgpu.Origin{})) },
	func(p *caller, n int) {
		keep(&p.modules, p.b.load(n%2))
	},
	func(p *caller, n int) { p.destroyStream(n) },
	func(p *caller, n int) { p.destroyStream(n) },
	func(p *caller, n int) {
		if e := drop(&p.events, n); e != 0 {
			p.b.r.EventDestroy(e)
		}
	},
	func(p *caller, n int) {
		if m := drop(&p.modules, n); m != 0 {
			p.b.r.ModuleUnload(m)
		}
	},
	func(p *caller, n int) {
		if m := drop(&p.blocks, n); m != 0 {
			p.b.r.MemFree(m)
		}
	},
	func(p *caller, n int) { p.b.r.SetDefaultDevice(int32(n % p.b.d.DeviceCount())) },
	func(p *caller, n int) { p.b.r.StreamSynchronize(pick(p.streams, n)) },
	func(p *caller, n int) {
		if e := pick(p.events, n); e != 0 {
			p.b.r.EventRecord(e, pick(p.streams, n/7))
		}
	},
	func(p *caller, n int) {
		if e := pick(p.events, n); e != 0 {
			p.b.r.StreamWaitEvent(pick(p.streams, n/7), e)
		}
	},
	func(p *caller, n int) {
		if e := pick(p.events, n); e != 0 {
			p.b.r.EventSynchronize(e)
		}
	},
	func(p *caller, n int) { // as compilers do
		if a, b := pick(p.streams, n), pick(p.streams, n/7); a != 0 && a != b {
			p.b.r.StreamWaitEvent(a, b)
		}
	},
	func(p *caller, n int) {
		if m := pick(p.modules, n); m != 0 {
			if f, mem := p.b.r.ModuleGetFunction(m, address(step)), pick(p.blocks, n/3); f != 0 && mem != 0 {
				p.b.launch(f, pick(p.streams, n/7), uint64(mem), words)
			}
		}
	},
	func(p *caller, n int) {
		if mem := pick(p.blocks, n); mem != 0 {
			p.b.r.Memset32(mem, uint32(n), words, pick(p.streams, n/7))
		}
	},
	func(p *caller, n int) {
		if mem := pick(p.blocks, n); mem != 0 {
			p.b.r.Memcpy(mem, address(p.host), words, pick(p.streams, n/7))
		}
	},
}

// createStream creates a stream, which has no work.
func (p *caller) createStream() {
	s := p.b.r.StreamCreate()
	keep(&p.streams, s)
	if idle, err := p.b.d.Driver.StreamIdle(driver.Stream(s)); s != 0 && (err != nil || !idle) {
		p.wrong = append(p.wrong, fmt.Sprintf("a stream was given out while work was pending on it: %v", err))
	}
}

func (p *caller) destroyStream(n int) {
	if s := drop(&p.streams, n); s != 0 {
		p.b.r.StreamDestroy(s)
	}
}

func (p *caller) end() {
	for _, s := range p.streams {
		p.b.r.StreamDestroy(s)
	}
	for _, e := range p.events {
		p.b.r.EventDestroy(e)
	}
	for _, m := range p.modules {
		p.b.r.ModuleUnload(m)
	}
	for _, m := range p.blocks {
		p.b.r.MemFree(m)
	}
}

// distinct fails if two streams or events of the program have the same handle.
func (p *caller) distinct(t testing.TB) {
	seen := map[uintptr]bool{}
	for _, h := range append(append([]uintptr(nil), p.streams...), p.events...) {
		require.False(t, seen[h], "%#x is held twice", h)
		seen[h] = true
	}
}

// failure is the nth failure of a run. Its name has to be in exactly one line.
func failure(method string, n int) error {
	return &driver.Error{Call: "faulty" + method, Name: fmt.Sprintf("fault %d of %s", n, method), Code: driver.LaunchFailure}
}

// unheard are calls whose failure may be dropped: a handle that can't be destroyed and whose object has failed before,
// and calls that the library also makes for itself, to learn a stream's progress, or to keep an order that it can keep
// in another way.
var unheard = regexp.MustCompile(`^(StreamDestroy|EventDestroy|ModuleUnload|Device|SetDevice|EventCreate|EventRecord|StreamWaitEvent)$`)

// questions are calls that the library makes for itself: the program does not see their failures.
var questions = regexp.MustCompile(`^(StreamIdle|EventDone)$`)

// told requires that each failure of a call for the program was reported in one line of the usual form.
func told(t testing.TB, lines []string, failed []string) {
	t.Helper()
	all := strings.Join(lines, "\n") + "\n"
	for i, method := range failed {
		line := fmt.Sprintf(`(?m)^'faulty%s(\(.*\))?' failed with 'fault %d of %s'$`, method, i, method)
		n := len(regexp.MustCompile(line).FindAllString(all, -1))
		switch {
		case questions.MatchString(method):
			require.Zero(t, n, "fault %d, of %s, in:\n%s", i, method, all)
		case unheard.MatchString(method):
			require.LessOrEqual(t, n, 1, "%s", method)
		default:
			require.Equal(t, 1, n, "fault %d, of %s, in:\n%s", i, method, all)
		}
	}
}

// settled requires that the runtime serves programs as usual, and that all live objects are available: creating as many
// streams and events of a device as exist makes no new one.
func (b *bench) settled(t testing.TB, cache bool) {
	t.Helper()
	b.d.Fail = nil
	b.said.drain()
	for device := range b.d.DeviceCount() {
		require.NoError(t, b.d.SetDevice(device))
		require.NoError(t, b.d.StreamSynchronize(0))
		for _, s := range b.d.Live(Stream, device) {
			require.NoError(t, b.d.StreamSynchronize(driver.Stream(s)))
		}
	}
	for device := range b.d.DeviceCount() {
		require.NoError(t, b.d.SetDevice(device))
		for range 3 {
			require.True(t, b.loop(3), "a program's results")
		}
		b.r.AllocCacheTrim(0)
		require.Empty(t, b.said.drain())
		require.Empty(t, b.d.Misuse())
		require.Empty(t, b.d.Live(Memory, device))
		if cache {
			b.atHand(t, device)
			continue
		}
		require.Empty(t, b.d.Live(Stream, device))
		require.Empty(t, b.d.Live(Event, device))
		require.Empty(t, b.d.Live(Module, device))
	}
	require.NoError(t, b.d.SetDevice(0))
}

// atHand is settled for what pools and caches have of the current device.
func (b *bench) atHand(t testing.TB, device int) {
	t.Helper()
	for _, c := range []struct {
		kind   Kind
		method string
		get    func() uintptr
		put    func(uintptr)
	}{
		{Stream, "StreamCreate", b.r.StreamCreate, b.r.StreamDestroy},
		{Event, "EventCreate", b.r.EventCreate, b.r.EventDestroy},
	} {
		live, before := len(b.d.Live(c.kind, device)), b.d.Calls(c.method)
		var held []uintptr
		for range live {
			held = append(held, c.get())
		}
		require.Equal(t, before, b.d.Calls(c.method), "%d %ss live, and the pool had not all of them", live, c.kind)
		for _, h := range held {
			c.put(h)
		}
	}
	live, hits := len(b.d.Live(Module, device)), 0
	var held []uintptr
	for i := range b.images { // loads each image until the cache has no more modules
		for before := b.d.Calls("ModuleLoad"); b.d.Calls("ModuleLoad") == before; hits++ {
			held = append(held, b.load(i))
		}
		hits--
	}
	require.Equal(t, live, hits, "the cache does not have all modules that are live")
	for _, m := range held {
		b.r.ModuleUnload(m)
	}
}

// clean destroys what a pool keeps.
func (b *bench) clean() {
	b.d.Fail = nil
	for device := range b.d.DeviceCount() {
		for _, s := range b.d.Live(Stream, device) {
			_ = b.d.StreamDestroy(driver.Stream(s))
		}
		for _, e := range b.d.Live(Event, device) {
			_ = b.d.EventDestroy(driver.Event(e))
		}
		for _, m := range b.d.Live(Module, device) {
			_ = b.d.ModuleUnload(driver.Module(m))
		}
	}
	_ = b.d.SetDevice(0)
}

// random makes calls that depend on bytes, some of which fail.
func (b *bench) random(t testing.TB, calls []byte, cache bool) {
	runtime.LockOSThread() // the thread has a current device
	defer runtime.UnlockOSThread()
	defer b.clean()
	var failed []string
	fuse := 0 // number of driver calls until one fails; 0: none
	b.d.Fail = func(method string, _ int) error {
		if fuse--; fuse != 0 {
			return nil
		}
		failed = append(failed, method)
		return failure(method, len(failed)-1)
	}
	p := &caller{b: b, host: make([]byte, words)}
	for i := 0; i+1 < len(calls); i += 2 {
		fuse = 0
		if calls[i]&0xc0 == 0xc0 {
			fuse = 1 + int(calls[i+1]>>5)%5
		}
		steps[int(calls[i]&0x3f)%len(steps)](p, int(calls[i+1]))
		fuse = 0
		p.distinct(t)
	}
	p.end()
	told(t, b.said.drain(), failed)
	require.Empty(t, p.wrong)
	require.Empty(t, b.d.Misuse())
	b.settled(t, cache)
}

func TestRandomCallsFail(t *testing.T) {
	seeds := int64(12)
	if chost.Long() {
		seeds = 400
	}
	for _, cache := range []bool{true, false} {
		t.Run(fmt.Sprintf("cache %v", cache), func(t *testing.T) {
			base := []*bench{newBench(t, 1, cache), newBench(t, 2, cache)}
			for seed := range seeds {
				base := base[seed%2]
				calls := make([]byte, 400)
				rand.New(rand.NewSource(seed)).Read(calls)
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					onDriver(base.d.Driver, base.images, cache).random(t, calls, cache)
				})
			}
		})
	}
}

func FuzzCallsFail(f *testing.F) {
	base := newBench(f, 1, true)
	for seed := range int64(8) {
		calls := make([]byte, 60)
		rand.New(rand.NewSource(seed)).Read(calls)
		f.Add(calls)
	}
	f.Fuzz(func(t *testing.T, calls []byte) {
		if len(calls) < 4096 {
			onDriver(base.d.Driver, base.images, true).random(t, calls, true)
		}
	})
}

// methods are the methods of the contract that a program can reach.
var methods = []string{"Device", "ModuleLoad", "ModuleUnload", "ModuleGetFunction", "LaunchKernel", "StreamCreate", "StreamDestroy",
	"StreamSynchronize", "StreamIdle", "MemAlloc", "MemFree", "Memcpy", "Memset32"}

func TestCallsFailOnManyThreads(t *testing.T) {
	for _, cache := range []bool{true, false} {
		base := newBench(t, 2, cache)
		for _, method := range methods {
			t.Run(fmt.Sprintf("%s with cache %v", method, cache), func(t *testing.T) {
				b := onDriver(base.d.Driver, base.images, cache)
				defer b.clean()
				var failed []string
				b.d.Fail = func(m string, nth int) error {
					if m != method || nth%5 != 0 {
						return nil
					}
					failed = append(failed, m)
					return failure(m, len(failed)-1)
				}
				var wg sync.WaitGroup
				for range 6 {
					wg.Add(1)
					go func() {
						defer wg.Done()
						runtime.LockOSThread()
						defer runtime.UnlockOSThread()
						for range 5 {
							b.loop(2)
						}
					}()
				}
				wg.Wait()
				told(t, b.said.drain(), failed)
				require.Empty(t, b.d.Misuse())
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				b.settled(t, cache)
			})
		}
	}
}
