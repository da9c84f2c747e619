package mgpu

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// executing is a driver that executes work when submitted and records it in order. Kernels are
// identified by their grids.
type executing struct {
	*null.Driver
	done   []string
	graphs map[driver.Graph][]driver.Node
	execs  map[driver.GraphExec][]driver.Node
	nodes  map[driver.Node]string
	traits driver.GraphTraits
	fail   map[string]int // calls until one fails
	calls  map[string]int
}

func (d *executing) called(call string) error {
	d.calls[call]++
	if d.fail[call]--; d.fail[call] == 0 {
		return boom
	}
	return nil
}

func kernelText(f driver.Function, l driver.Launch) string {
	return fmt.Sprintf("kernel %#x of %d", uintptr(f), l.Grid.X)
}

func (d *executing) GraphTraits() driver.GraphTraits { return d.traits }

func (d *executing) LaunchKernel(f driver.Function, l driver.Launch) error {
	d.done = append(d.done, kernelText(f, l))
	return d.called("launch")
}

func (d *executing) Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error {
	d.done = append(d.done, fmt.Sprintf("fill %d", value))
	return nil
}

func (d *executing) GraphAddKernel(g driver.Graph, after []driver.Node, f driver.Function, l driver.Launch) (driver.Node, error) {
	return d.add(g, kernelText(f, l))
}

func (d *executing) GraphAddFill(g driver.Graph, after []driver.Node, f driver.Fill) (driver.Node, error) {
	return d.add(g, fmt.Sprintf("fill %d", f.Value))
}

func (d *executing) add(g driver.Graph, does string) (driver.Node, error) {
	if err := d.called("add"); err != nil {
		return 0, err
	}
	n, _ := d.Driver.GraphAddEmpty(g, nil)
	d.graphs[g] = append(d.graphs[g], n)
	d.nodes[n] = does
	return n, nil
}

func (d *executing) GraphInstantiate(g driver.Graph) (driver.GraphExec, error) {
	if err := d.called("instantiate"); err != nil {
		return 0, err
	}
	x, _ := d.Driver.GraphInstantiate(g)
	d.execs[x] = slices.Clone(d.graphs[g])
	return x, nil
}

func (d *executing) GraphExecDestroy(x driver.GraphExec) error {
	delete(d.execs, x)
	return nil
}

func (d *executing) GraphLaunch(x driver.GraphExec, s driver.Stream) error {
	for _, n := range d.execs[x] {
		d.done = append(d.done, d.nodes[n])
	}
	return d.called("graph launch")
}

func (d *executing) set(x driver.GraphExec, n driver.Node, does string) error {
	if err := d.called("set"); err != nil {
		return err
	}
	if !slices.Contains(d.execs[x], n) {
		panic("a node of another exec")
	}
	d.nodes[n] = does
	return nil
}

func (d *executing) GraphSetKernel(x driver.GraphExec, n driver.Node, f driver.Function, l driver.Launch) error {
	return d.set(x, n, kernelText(f, l))
}

func (d *executing) GraphSetFill(x driver.GraphExec, n driver.Node, f driver.Fill) error {
	return d.set(x, n, fmt.Sprintf("fill %d", f.Value))
}

// PlaceOf implements driver.Placer.
func (d *executing) PlaceOf(driver.Ptr) (driver.Place, error) { return driver.DeviceOnly, nil }

func executingOf() (*host, *executing) {
	d := &executing{Driver: null.Open(null.Options{}), graphs: map[driver.Graph][]driver.Node{}, execs: map[driver.GraphExec][]driver.Node{},
		nodes: map[driver.Node]string{}, fail: map[string]int{}, calls: map[string]int{}}
	h := over(d, Config{})
	h.StreamDestroy(h.StreamCreate())
	for function, name := range map[uintptr]string{0x500: "kernel", 0x600: "other"} {
		h.nameKernel(function, 1, name)
		h.kernelOf(function).info.Store(&launchgraph.KernelTraits{})
	}
	return h, d
}

// region records n launches of key on a stream, with sizes from base on.
func (h *host) region(t testing.TB, key uint64, s uintptr, n, base int64) {
	id := h.GraphBegin(key, 0).Recording
	for i := range n {
		require.True(t, h.RecordLaunch(id, launchOf(s, base+i)))
	}
	launched, _ := h.GraphEnd(id)
	require.True(t, launched)
}

func wants(n, base int64) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("kernel 0x500 of %d", base+i))
	}
	return all
}

func TestWhatIsRecordedAgainBeginsBeforeItsEnd(t *testing.T) {
	h, d := executingOf()
	s := h.StreamCreate()
	h.region(t, 7, s, 60, 100)
	require.Equal(t, 1, d.calls["instantiate"], "one graph, as long as it is recorded once")
	h.region(t, 7, s, 60, 200)
	require.Equal(t, 1+3, d.calls["instantiate"], "16, 32 and 12")
	d.done, d.calls = nil, map[string]int{}
	id := h.GraphBegin(7, 0).Recording
	for i := range int64(60) {
		require.True(t, h.RecordLaunch(id, launchOf(s, 300+i)))
		require.Len(t, d.done, map[bool]int{true: 16}[i >= 15]+map[bool]int{true: 32}[i >= 47])
	}
	launched, w := h.GraphEnd(id)
	require.True(t, launched)
	require.Zero(t, w)
	require.Equal(t, wants(60, 300), d.done)
	require.Equal(t, map[string]int{"set": 60, "graph launch": 3}, d.calls)
	h.region(t, 7, s, 60, 300)
	require.Equal(t, 60, d.calls["set"], "what is the same is not changed")
	d.done = nil
	h.GraphLaunch(7, s)
	require.Equal(t, wants(60, 300), d.done)
	h.requireSilence(t)
}

// A different call comes after each number of equal calls.
func TestWhatWasNotLaunchedFollowsWhatWas(t *testing.T) {
	step := int64(4)
	if os.Getenv("MGPU_TEST_LONG") != "" {
		step = 1
	}
	for at := int64(0); at <= 60; at += step {
		for _, other := range []string{"kernel", "fill", "end", "more", "alloc", "set fails", "launch fails", "instantiate fails"} {
			h, d := executingOf()
			s := h.StreamCreate()
			h.region(t, 7, s, 60, 100)
			h.region(t, 7, s, 60, 200)
			d.done = nil
			want := wants(60, 300)
			id := h.GraphBegin(7, 0).Recording
			lines := 0
			for i := range int64(60) {
				l := launchOf(s, 300+i)
				if i == at {
					switch other {
					case "kernel":
						l.Function = 0x600
						want[i] = fmt.Sprintf("kernel 0x600 of %d", 300+i)
					case "fill":
						require.True(t, h.RecordMemset(id, 0x1000, 5, 4, 1, s))
						want = slices.Insert(want, int(i), "fill 5")
					case "alloc":
						h.RecordEnd(id, "mgpuMemAlloc")
						lines++
					case "set fails":
						d.fail["set"] = 3
					case "launch fails":
						d.fail["graph launch"] = 1
						lines++
					case "instantiate fails":
						d.fail["instantiate"] = 1
						require.True(t, h.RecordMemset(id, 0x1000, 5, 4, 1, s))
						want = slices.Insert(want, int(i), "fill 5")
						lines++
					}
				}
				if i == at && other == "end" {
					want = want[:i]
					break
				}
				if !h.RecordLaunch(id, l) {
					h.LaunchKernel(l)
				}
			}
			if other == "more" && at == 60 {
				require.True(t, h.RecordMemset(id, 0x1000, 5, 4, 1, s))
				want = append(want, "fill 5")
			}
			h.GraphEnd(id)
			require.Equal(t, want, append([]string{}, d.done...), "%s at %d", other, at)
			said := h.lines()
			require.LessOrEqual(t, len(said), max(lines, 1), "%s at %d: %v", other, at, said)
			if lines == 0 {
				require.Empty(t, said[0], "%s at %d", other, at)
			}
			d.done, d.fail = nil, map[string]int{}
			h.region(t, 7, s, 60, 400)
			h.region(t, 7, s, 60, 500)
			require.Equal(t, append(wants(60, 400), wants(60, 500)...), d.done, "%s at %d, afterwards", other, at)
			require.LessOrEqual(t, len(d.execs), 3)
			h.requireSilence(t)
		}
	}
}

func TestBoundedUpdatesMakeAnotherGraphOfARepetition(t *testing.T) {
	h, d := executingOf()
	d.traits = driver.GraphTraits{Updates: 50, Pinned: true}
	s := h.StreamCreate()
	var want []string
	for round := range int64(12) {
		h.region(t, 7, s, 60, 100*round)
		want = append(want, wants(60, 100*round)...)
	}
	require.Equal(t, want, d.done)
	require.Greater(t, d.calls["instantiate"], 6)
	h.requireSilence(t)
}

// A graph that can't be updated any more is built again at its launch.
func TestARepetitionThatSpentItsUpdatesLeavesTheGraphUsable(t *testing.T) {
	h, d := executingOf()
	d.traits = driver.GraphTraits{Updates: 20, Pinned: true}
	s := h.StreamCreate()
	h.region(t, 7, s, 60, 100)
	h.region(t, 7, s, 60, 200)
	id := h.GraphBegin(7, 0).Recording
	for i := range int64(20) {
		require.True(t, h.RecordLaunch(id, launchOf(s, 300+i)))
	}
	d.done = nil
	h.GraphLaunch(7, s)
	require.Equal(t, wants(60, 200), d.done)
	h.GraphEnd(id)
	require.Equal(t, append(wants(60, 200), wants(20, 300)[16:]...), d.done)
	h.requireSilence(t)
}

// asked is a driver's graphs together with all interfaces that a region may need.
type asked struct {
	*countingGraphs
	traits driver.GraphTraits
}

func (d asked) GraphTraits() driver.GraphTraits       { return d.traits }
func (d asked) Capturing(driver.Stream) (bool, error) { return false, nil }
func (asked) EndCapture(driver.Stream) bool           { return false }

func (d asked) CaptureMode(mode uint32) (before uint32, err error) { return mode, nil }

func TestRegionsTakeNothingFromTheHeap(t *testing.T) {
	for _, traits := range []driver.GraphTraits{{}, {Pinned: true}} {
		d := asked{&countingGraphs{Driver: null.Open(null.Options{}), calls: map[string]int{}}, traits}
		h := over(d, Config{})
		s := h.StreamCreate()
		h.nameKernel(0x500, 1, "kernel")
		h.kernelOf(0x500).info.Store(&launchgraph.KernelTraits{})
		from := Origin{Session: h.AllocCacheBegin(h.AllocCacheCreate())}
		var n int64
		l := launchOf(s, 1)
		allocations := testing.AllocsPerRun(200, func() {
			id := h.GraphBegin(7, 0).Recording
			var blocks [9]uintptr
			for i := range blocks {
				blocks[i], _ = h.RecordAlloc(id, 256, from)
			}
			for range 60 {
				n++
				l.Grid[0] = 1 + n%7
				h.RecordLaunch(id, l)
			}
			for _, p := range blocks {
				h.RecordFree(id, p)
			}
			h.RecordSynchronize(id, s)
			_, w := h.GraphEnd(id)
			h.Waited(w, 0)
			h.GraphLaunch(7, s)
		})
		require.Zero(t, allocations, "%+v", traits)
		require.Greater(t, d.calls["graph launch"], 3*200)
		h.GraphDestroy(7)
		h.requireSilence(t)
	}
}

// Another thread uses the graph during its replay.
func TestAGraphThatIsRepeatedCanBeUsed(t *testing.T) {
	h, d := executingOf()
	s, other := h.StreamCreate(), h.StreamCreate()
	h.region(t, 8, other, 60, 800)
	for _, use := range []string{"launch", "update", "unload", "abandon"} {
		h.region(t, 7, s, 60, 100)
		h.region(t, 7, s, 60, 200)
		d.done = nil
		id := h.GraphBegin(7, 0).Recording
		for i := range int64(20) {
			require.True(t, h.RecordLaunch(id, launchOf(s, 300+i)))
		}
		require.Equal(t, wants(16, 300), d.done)
		want := wants(60, 300)
		switch use {
		case "launch":
			h.GraphLaunch(7, other)
			want = slices.Concat(want[:16], wants(60, 200), want[16:])
		case "update":
			require.Equal(t, int32(1), h.GraphUpdate(7, 8))
		case "unload":
			h.moduleUnloading(1)
			require.Len(t, h.lines(), 1)
			h.nameKernel(0x500, 1, "kernel")
			h.kernelOf(0x500).info.Store(&launchgraph.KernelTraits{})
		case "abandon":
			h.GraphAbandon(id)
			require.Equal(t, want[:16], d.done)
			continue
		}
		for i := range int64(40) {
			if l := launchOf(s, 320+i); !h.RecordLaunch(id, l) {
				h.LaunchKernel(l)
			}
		}
		h.GraphEnd(id)
		require.Equal(t, want, d.done, use)
	}
	d.done = nil
	h.region(t, 7, s, 60, 900)
	require.Equal(t, wants(60, 900), d.done)
	h.requireSilence(t)
}

// A stream with launched parts is destroyed, and streams come and go.
func TestStreamsOfARepetitionMayBeDestroyed(t *testing.T) {
	h, d := executingOf()
	var want []string
	for round := range int64(6) {
		id := h.GraphBegin(7, 0).Recording
		s := h.StreamCreate()
		h.RecordStreamCreated(id, s)
		for i := range int64(60) {
			if i%7 == round {
				h.RecordSynchronize(id, s)
				h.RecordStreamDestroyed(id, s)
				h.StreamDestroy(s)
				s = h.StreamCreate()
				h.RecordStreamCreated(id, s)
			}
			require.True(t, h.RecordLaunch(id, launchOf(s, 100*round+i)))
		}
		h.RecordStreamDestroyed(id, s)
		h.StreamDestroy(s)
		launched, w := h.GraphEnd(id)
		require.True(t, launched)
		h.Waited(w, 0)
		want = append(want, wants(60, 100*round)...)
	}
	require.Equal(t, want, d.done)
	// Also a stream from before the region.
	for range 4 {
		s := h.StreamCreate()
		id := h.GraphBegin(8, 0).Recording
		for i := range int64(40) {
			if i == 30 {
				h.RecordStreamDestroyed(id, s)
				h.StreamDestroy(s)
				s = h.StreamCreate()
				h.RecordStreamCreated(id, s)
			}
			require.True(t, h.RecordLaunch(id, launchOf(s, i)))
		}
		h.GraphEnd(id)
		h.StreamDestroy(s)
		want = append(want, wants(40, 0)...)
	}
	require.Equal(t, want, d.done)
	h.requireSilence(t)
}

// A stream that was created and waited for but had no work is idle. Lowered code destroys it then and creates the next.
func TestAStreamThatIsMadeWhileRecordingStaysIdle(t *testing.T) {
	h, _ := executingOf()
	pool := h.core.Load().pool
	id := h.GraphBegin(7, 0).Recording
	s := h.StreamCreate()
	h.RecordStreamCreated(id, s)
	require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
	require.True(t, pool.Find(s).Pending(), "no call has waited")
	h.RecordSynchronize(id, s)
	require.False(t, pool.Find(s).Pending())
	used := h.StreamCreate()
	h.RecordStreamCreated(id, used)
	h.LaunchKernel(launchOf(used, 1)) // as another thread would
	require.True(t, h.RecordLaunch(id, launchOf(used, 1)))
	h.RecordSynchronize(id, used)
	require.True(t, pool.Find(used).Pending())
	h.GraphEnd(id)
}

// Random regions, mostly repeated unchanged, have the same results as the calls one by one.
func TestRandomRegionsAreExecutedInOrder(t *testing.T) {
	for seed := range uint64(120) {
		h, d := executingOf()
		r := rand.New(rand.NewPCG(seed, 1))
		d.traits = driver.GraphTraits{Pinned: seed%2 == 0, Updates: []int{0, 70}[seed%3/2]}
		streams := []uintptr{h.StreamCreate(), h.StreamCreate()}
		var want, latest []string // latest: the work of the graph
		for round := range 12 {
			began := len(want)
			odd, n := -1, 20+int(seed%5)*15
			if r.IntN(3) == 0 {
				odd = r.IntN(n)
			}
			id := h.GraphBegin(seed%2, 0).Recording
			for i := range n {
				s := streams[0]
				switch {
				case i == odd && r.IntN(2) == 0:
					s = streams[1]
					h.RecordSynchronize(id, streams[0])
				case i == odd && r.IntN(2) == 0:
					h.RecordMemset(id, 0x1000, uint32(i), 4, 1, s)
					want = append(want, fmt.Sprintf("fill %d", i))
				case i == odd:
					h.RecordEnd(id, "mgpuMemFree")
				}
				l := launchOf(s, int64(r.IntN(3)))
				if i%20 == 10 && !h.RecordMemset(id, 0x1000, 9, 4, 1, s) {
					h.Memset32(0x1000, 9, 1, s)
				}
				if i%20 == 10 {
					want = append(want, "fill 9")
				}
				if !h.RecordLaunch(id, l) {
					h.LaunchKernel(l)
				}
				if s != streams[0] {
					if _, over := h.RecordSynchronize(id, s); over {
						h.StreamSynchronize(s)
					}
				}
				want = append(want, fmt.Sprintf("kernel 0x500 of %d", l.Grid[0]))
			}
			launched, w := h.GraphEnd(id)
			h.Waited(w, 0)
			if launched {
				latest = slices.Clone(want[began:])
			}
			if r.IntN(4) == 0 && latest != nil {
				h.GraphLaunch(seed%2, streams[r.IntN(2)])
				want = append(want, latest...)
			}
			require.Equal(t, want, d.done, "seed %d, round %d", seed, round)
		}
	}
}
