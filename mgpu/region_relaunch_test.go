package mgpu

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// relaunching returns a runtime whose C code may relaunch graphs, and the calls that C got.
func relaunching() (*host, *fastPath) {
	c := &fastPath{}
	d := &countingGraphs{Driver: null.Open(null.Options{Nothing: 1}), calls: map[string]int{}, fail: map[string]error{}}
	h := over(d, Config{FastPath: c, CallsInC: true})
	h.StreamDestroy(h.StreamCreate())
	h.nameKernel(0x500, 1, "kernel")
	h.kernelOf(0x500).info.Store(&launchgraph.KernelTraits{})
	return h, c
}

func (h *host) recorded(t *testing.T, key uint64, s uintptr, launches int) {
	id := h.GraphBegin(key, 0).Recording
	for range launches {
		require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
	}
	launched, _ := h.GraphEnd(id)
	require.True(t, launched)
}

func TestCLaunchesAGraphAgainUntilSomethingElseIsDoneWithIt(t *testing.T) {
	for name, do := range map[string]func(h *host, s uintptr){
		"recorded":                func(h *host, s uintptr) { h.recorded(t, 7, s, 3) },
		"launched elsewhere":      func(h *host, s uintptr) { h.GraphLaunch(7, h.StreamCreate()) },
		"updated":                 func(h *host, s uintptr) { h.GraphUpdate(7, 8) },
		"source of an update":     func(h *host, s uintptr) { h.GraphUpdate(8, 7) },
		"destroyed":               func(h *host, s uintptr) { h.GraphDestroy(7) },
		"its module dropped":      func(h *host, s uintptr) { h.moduleUnloading(1) },
		"not its stream's latest": func(h *host, s uintptr) { h.GraphLaunch(8, s) },
	} {
		t.Run(name, func(t *testing.T) {
			h, c := relaunching()
			s := h.StreamCreate()
			h.recorded(t, 7, s, 3)
			h.recorded(t, 8, h.StreamCreate(), 3)
			require.Empty(t, c.relaunches)
			h.GraphLaunch(7, s)
			require.Equal(t, []uint64{7}, c.relaunches)
			do(h, s)
			require.Equal(t, ^uint64(7), c.relaunches[1])
			h.requireSilence(t)
		})
	}
}

func TestCLaunchesAGraphInPartsOnceItIsWhole(t *testing.T) {
	h, c := relaunching()
	s := h.StreamCreate()
	for range 3 {
		h.recorded(t, 7, s, 40)
	}
	for range 15 { // the second recording's launch is in parts as well
		h.GraphLaunch(7, s)
	}
	require.Empty(t, c.relaunches)
	h.GraphLaunch(7, s)
	require.Equal(t, []uint64{7}, c.relaunches)
}

// C identifies graphs by their keys.
func TestAKeyIsFreeWhenCLaunchesItsGraphNoMore(t *testing.T) {
	h, c := relaunching()
	s := h.StreamCreate()
	h.recorded(t, 7, s, 3)
	h.GraphLaunch(7, s)
	began := make(chan uintptr, 1)
	c.takenBack = func() {
		go func() { began <- h.GraphBegin(7, 0).Recording }()
		select {
		case <-began:
			t.Error("another thread got the key while C could launch its graph")
		case <-time.After(20 * time.Millisecond):
		}
	}
	h.GraphDestroy(7)
	require.Equal(t, []uint64{7, ^uint64(7)}, c.relaunches)
	require.NotZero(t, <-began)
}

// twoWithGraphs has two devices, and notes on which graphs are made.
type twoWithGraphs struct {
	*countingGraphs
	current int
	madeOn  []int
}

func (d *twoWithGraphs) DeviceCount() int           { return 2 }
func (d *twoWithGraphs) Device() (int, error)       { return d.current, nil }
func (d *twoWithGraphs) SetDevice(device int) error { d.current = device; return nil }

func (d *twoWithGraphs) GraphInstantiate(g driver.Graph) (driver.GraphExec, error) {
	d.madeOn = append(d.madeOn, d.current)
	return d.countingGraphs.GraphInstantiate(g)
}

func TestAGraphBecomesWholeOnItsOwnDevice(t *testing.T) {
	d := &twoWithGraphs{countingGraphs: &countingGraphs{Driver: null.Open(null.Options{}), calls: map[string]int{}, fail: map[string]error{}}}
	h := over(d, Config{})
	h.SetDefaultDevice(1)
	s := h.StreamCreate()
	h.nameKernel(0x500, 1, "kernel")
	h.kernelOf(0x500).info.Store(&launchgraph.KernelTraits{})
	for range 3 {
		h.recorded(t, 7, s, 40)
	}
	parts := len(d.madeOn)
	h.SetDefaultDevice(0)
	for range 20 {
		h.GraphLaunch(7, s)
	}
	require.Len(t, d.madeOn, parts+1)
	require.NotContains(t, d.madeOn, 0)
	require.Zero(t, d.current)
	h.requireSilence(t)
}

func TestCLaunchesNoGraphThatCopiesHostMemory(t *testing.T) {
	h, c := relaunching()
	s := h.StreamCreate()
	text := []byte("parameters")
	h.core.Load().drv.(*countingGraphs).pageable = driver.Ptr(addressOfBytes(text))
	id := h.GraphBegin(7, 0).Recording
	require.True(t, h.RecordLaunch(id, launchOf(s, 1)))
	require.True(t, h.RecordMemcpy(id, 0x1000, addressOfBytes(text), 10, s))
	launched, _ := h.GraphEnd(id)
	require.True(t, launched)
	h.GraphLaunch(7, s)
	require.Empty(t, c.relaunches)
}
