package mgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
)

// relaunching is a runtime whose C code may launch graphs again, and what it was told.
func relaunching(t *testing.T) (*host, *fastPath) {
	c := &fastPath{}
	d := &countingGraphs{Driver: null.Open(null.Options{Nothing: 1}), calls: map[string]int{}, fail: map[string]error{}}
	h := over(d, Config{FastPath: c, Direct: true})
	h.StreamDestroy(h.StreamCreate())
	h.nameKernel(0x500, 1, "kernel")
	h.kernelOf(0x500).info.Store(&kernelInfo{})
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
		"its module dropped":      func(h *host, s uintptr) { h.dropModuleGraphs(1) },
		"not its stream's latest": func(h *host, s uintptr) { h.GraphLaunch(8, s) },
	} {
		t.Run(name, func(t *testing.T) {
			h, c := relaunching(t)
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
	h, c := relaunching(t)
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

func TestCLaunchesNoGraphThatCopiesHostMemory(t *testing.T) {
	h, c := relaunching(t)
	s := h.StreamCreate()
	h.recorded(t, 7, s, 3)
	h.graphs.lookup(7, false).hostCopies.chunks = []chunk{{}}
	h.GraphLaunch(7, s)
	require.Empty(t, c.relaunches)
}
