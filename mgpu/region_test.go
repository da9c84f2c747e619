package mgpu

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// countingGraphs is the null driver, counting graph calls.
type countingGraphs struct {
	pageable driver.Ptr // memory of the host; zero: none
	shared   driver.Ptr // registered memory; zero: none
	traits   driver.GraphTraits
	*null.Driver
	mu    sync.Mutex
	calls map[string]int
	fail  map[string]error
}

func (d *countingGraphs) count(call string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls[call]++
	return d.fail[call]
}

func (d *countingGraphs) LaunchKernel(f driver.Function, l driver.Launch) error {
	return d.count("launch")
}

func (d *countingGraphs) GraphInstantiate(g driver.Graph) (driver.GraphExec, error) {
	if err := d.count("instantiate"); err != nil {
		return 0, err
	}
	return d.Driver.GraphInstantiate(g)
}

func (d *countingGraphs) GraphLaunch(driver.GraphExec, driver.Stream) error {
	return d.count("graph launch")
}

func (d *countingGraphs) GraphSetKernel(driver.GraphExec, driver.Node, driver.Function, driver.Launch) error {
	return d.count("set")
}

// PlaceOf implements driver.Placer.
func (d *countingGraphs) PlaceOf(p driver.Ptr) (driver.Place, error) {
	if p != 0 && p == d.pageable {
		return driver.Pageable, nil
	}
	if p != 0 && p == d.shared {
		return driver.Shared, nil
	}
	return driver.DeviceOnly, nil
}

func (d *countingGraphs) GraphTraits() driver.GraphTraits { return d.traits }

func countingGraphsOf() (*host, *countingGraphs) {
	d := &countingGraphs{Driver: null.Open(null.Options{}), calls: map[string]int{}, fail: map[string]error{}}
	h := over(d, Config{})
	h.StreamDestroy(h.StreamCreate())
	h.nameKernel(0x500, 1, "kernel")
	h.kernelOf(0x500).info.Store(&launchgraph.KernelTraits{})
	return h, d
}

func launchOf(stream uintptr, n int64) *Launch {
	return &Launch{Function: 0x500, Grid: Dims{n, 1, 1}, Block: Dims{64, 1, 1}, Stream: stream}
}

func TestARegionIsOneLaunchAndLaterRegionsChangeIt(t *testing.T) {
	h, d := countingGraphsOf()
	s := h.StreamCreate()
	for round := range int64(3) {
		id := h.GraphBegin(7, 0).Recording
		for n := range int64(5) {
			require.True(t, h.RecordLaunch(id, launchOf(s, 1+round*(n%2))))
		}
		launched, w := h.GraphEnd(id)
		require.True(t, launched)
		require.Zero(t, w, "no call waited")
	}
	assert.Equal(t, map[string]int{"instantiate": 1, "graph launch": 3, "set": 4}, d.calls)
	h.requireSilence(t)
}

func TestWhatAGraphCanNotHoldIsExecutedInOrder(t *testing.T) {
	h, d := countingGraphsOf()
	s := h.StreamCreate()
	id := h.GraphBegin(7, 0).Recording
	require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
	require.True(t, h.RecordLaunch(id, launchOf(s, 2)))
	require.False(t, h.RecordLaunch(id, launchOf(0, 3)), "the default stream")
	assert.Equal(t, map[string]int{"launch": 2}, d.calls)
	require.False(t, h.RecordLaunch(id, launchOf(s, 3)), "it has ended")
	launched, _ := h.GraphEnd(id)
	require.False(t, launched)
	assert.Equal(t, []string{"mgpu: graph 0x7 is executed call by call: work on the default stream can't be recorded"}, h.lines())
}

func TestFillsOfSharedMemoryAreRecordedUnlessTheDriverKeepsThemOut(t *testing.T) {
	for _, out := range []bool{false, true} {
		h, d := countingGraphsOf()
		d.shared, d.traits = 0x1000, driver.GraphTraits{KeepsSharedFillsOut: out}
		s := h.StreamCreate()
		id := h.GraphBegin(7, 0).Recording
		require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
		require.True(t, h.RecordMemset(id, 0x2000, 5, 4, 64, s), "of device memory")
		require.Equal(t, !out, h.RecordMemset(id, 0x1000, 5, 4, 64, s))
		launched, _ := h.GraphEnd(id)
		require.Equal(t, !out, launched)
		if out {
			require.Equal(t, []string{"mgpu: graph 0x7 is executed call by call: a fill of memory that the host shares can't be recorded with this driver"}, h.lines())
		} else {
			h.requireSilence(t)
		}
	}
}

func TestAFunctionThatIsNoneEndsTheRecording(t *testing.T) {
	for _, function := range []uintptr{0, 0x600} {
		h, d := countingGraphsOf()
		id := h.GraphBegin(7, 0).Recording
		l := launchOf(h.StreamCreate(), 1)
		l.Function = function
		require.False(t, h.RecordLaunch(id, l))
		require.Equal(t, []string{fmt.Sprintf("mgpu: graph 0x7 is executed call by call: function %#x is of another library", function)}, h.lines())
		require.Zero(t, d.calls["launch"], "that is the caller's to make")
	}
}

func TestADriverThatMakesNoGraphIsNoFailure(t *testing.T) {
	h, d := countingGraphsOf()
	d.fail["instantiate"] = boom
	s := h.StreamCreate()
	id := h.GraphBegin(7, 0).Recording
	h.RecordLaunch(id, launchOf(s, 1))
	launched, _ := h.GraphEnd(id)
	require.False(t, launched)
	assert.Equal(t, map[string]int{"instantiate": 1, "launch": 1}, d.calls)
	assert.Equal(t, []string{"mgpu: graph 0x7 is executed call by call: the driver made no graph: 'hipDoIt' failed with 'hipErrorUnknown'"}, h.lines())
}

func TestAGraphOfAModuleThatIsGoneIsNotLaunched(t *testing.T) {
	h, d := countingGraphsOf()
	s := h.StreamCreate()
	id := h.GraphBegin(7, 0).Recording
	h.RecordLaunch(id, launchOf(s, 1))
	h.GraphEnd(id)
	h.moduleUnloading(1)
	h.GraphLaunch(7, s)
	assert.Equal(t, 1, d.calls["graph launch"])
	assert.Equal(t, []string{"'mgpuxGraphLaunch(0x7)' failed with 'invalid value': its kernel kernel was unloaded; record it again"}, h.lines())
}

// This test is for the race detector.
func TestThreadsRecordLaunchAndUnloadAtOnce(t *testing.T) {
	h, _ := countingGraphsOf()
	var wg sync.WaitGroup
	for key := range uint64(8) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := h.StreamCreate()
			for i := range 200 {
				id := h.GraphBegin(key, 0).Recording
				for n := range int64(4 + 40*(key%2)) {
					h.RecordLaunch(id, launchOf(s, 1+n*int64(i%2)))
				}
				h.RecordSynchronize(id, s)
				h.GraphEnd(id)
				switch i % 10 {
				case 3:
					h.GraphLaunch(key, s)
				case 5:
					h.GraphUpdate(key, (key+1)%8)
				case 7:
					h.moduleUnloading(driver.Module(1 + key%2))
					h.nameKernel(0x500, 1, "kernel")
					if k := h.kernelOf(0x500); k != nil { // another thread may have unloaded the module
						k.info.Store(&launchgraph.KernelTraits{})
					}
				}
			}
			h.StreamDestroy(s)
		}()
	}
	wg.Wait()
	for _, line := range h.lines() {
		require.Regexp(t, `^$|there is no such graph|was unloaded|is unloaded|of another library|that the library did not load`, line)
	}
}

// In every other run, the graph is destroyed between its look-up and its claim.
func TestAGraphMayBeDestroyedWhileItsRecordingBegins(t *testing.T) {
	h, _ := countingGraphsOf()
	s := h.StreamCreate()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 100_000 {
			id := h.GraphBegin(7, 0).Recording
			h.RecordLaunch(id, launchOf(s, 1))
			h.GraphEnd(id)
		}
	}()
	for destroying := true; destroying; {
		h.GraphDestroy(7)
		runtime.Gosched()
		select {
		case <-done:
			destroying = false
		default:
		}
	}
	for _, line := range h.lines() {
		require.NotContains(t, line, "another thread records this graph")
	}
}

func BenchmarkRecordedLaunch(b *testing.B) {
	h, _ := countingGraphsOf()
	l := launchOf(h.StreamCreate(), 1)
	for b.Loop() {
		id := h.GraphBegin(1, 0).Recording
		for range 128 {
			h.RecordLaunch(id, l)
		}
		h.GraphEnd(id)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/128, "ns/launch")
}
