package mgpu

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/kernelstats"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// launched is a fast path that has made launches.
type launched struct {
	fastPath
	rows []Launches
}

func (c *launched) Launches(f func(Launches)) {
	for _, l := range c.rows {
		f(l)
	}
}

var small, large, block = driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Dim3{X: 64, Y: 1, Z: 1}, driver.Dim3{X: 32, Y: 1, Z: 1}

func TestLaunchesAreCountedByKernelAndShape(t *testing.T) {
	c := &launched{rows: []Launches{
		{Function: 1, Grid: small, Block: block, Count: 3, ByGraph: 2},
		{Function: 1, Grid: small, Block: block, Count: 4}, // of another thread
		{Function: 2, Grid: large, Block: block, Count: 1},
		{Count: 5}, // launches for which there was no row
	}}
	r := New(Config{Timing: true, FastPath: c})
	r.nameKernel(1, 1, "saxpy")
	r.nameKernel(2, 1, "_Z6matmulPfS_")
	k := &r.stats.kernels
	k.launched(1, large, block, false)
	k.launched(1, large, block, true)
	k.worked(1, 500)
	k.worked(1, 1500)
	assert.Equal(t, []KernelStats{
		{Name: "saxpy", Launches: 9, ByGraph: 2, InRegion: 1, Timed: 2, DeviceNS: 2000, Shapes: []kernelstats.Shape{
			{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Launches: 7}, {Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{32, 1, 1}, Launches: 2},
		}},
		{Name: kernelstats.Other, Launches: 5, Shapes: []kernelstats.Shape{{Launches: 5}}},
		{Name: "_Z6matmulPfS_", Launches: 1, Shapes: []kernelstats.Shape{{Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{32, 1, 1}, Launches: 1}}},
	}, r.kernelStats())
	assert.Equal(t, r.kernelStats(), r.kernelStats(), "what C counted is added once")
	var table bytes.Buffer
	s := r.Snapshot()
	require.NoError(t, s.WriteTable(&table))
	assert.Regexp(t, `(?m)^ +kernel  launches  by graph  in regions +grid x block  time on device  us each    share\n`, table.String())
	assert.Regexp(t, `(?m)^ +saxpy +9 +2 +1 +2 shapes +0\.002 ms +1\.000  100\.0 %\n`, table.String())
	assert.Regexp(t, `(?m)^ +matmul +1 +0 +0 +64,1,1 x 32,1,1 +unknown +- +-\n`, table.String())
}

// A driver may reuse the handle of an unloaded function.
func TestAHandleThatGetsAnotherNameKeepsTheCountsApart(t *testing.T) {
	c := &launched{rows: []Launches{{Function: 1, Grid: small, Block: block, Count: 3}}}
	r := New(Config{Timing: true, FastPath: c})
	r.nameKernel(1, 1, "first")
	r.nameKernel(1, 2, "second")
	c.rows[0].Count = 10
	rows := r.kernelStats()
	require.Len(t, rows, 2)
	assert.Equal(t, "second", rows[0].Name)
	assert.EqualValues(t, 7, rows[0].Launches)
	assert.EqualValues(t, 3, rows[1].Launches)
}

func TestOnlySomeKernelsAreListedInATable(t *testing.T) {
	s := Snapshot{Kernels: make([]KernelStats, kernelstats.TableRows+3), Regions: []RegionStats{{Key: 7, Nodes: 4, Launches: 20, CallByCall: 1, Built: 2}}}
	s.Kernels[0].Name = strings.Repeat("long", 100) + "\x1b"
	var table bytes.Buffer
	require.NoError(t, s.WriteTable(&table))
	assert.Contains(t, table.String(), "\nand 3 more kernels: MGPU_STATS=FILE.json lists all\n")
	assert.Regexp(t, `(?m)^ +region  nodes  by graph  call by call  graphs made\n +0x7 +4 +20 +1 +2\n`, table.String())
	for line := range strings.Lines(table.String()) {
		assert.Less(t, len(line), 200)
	}
}

// profiler is a driver that tells of kernels.
type profiler struct{}

func (profiler) Profile() (string, []json.RawMessage) {
	return "mgpu profile: kernel k", []json.RawMessage{json.RawMessage(`{"kernel":"k"}`)}
}

func TestStatisticsHaveWhatADriverTellsOfKernels(t *testing.T) {
	s := Snapshot{profile: profiler{}}
	var table, line bytes.Buffer
	require.NoError(t, s.WriteTable(&table))
	assert.True(t, strings.HasSuffix(table.String(), "\nmgpu profile: kernel k\n"), table.String())
	require.NoError(t, s.WriteJSON(&line, 1, 0))
	assert.Contains(t, line.String(), `"profile":[{"kernel":"k"}]`)
}

func TestStatisticsAsJSONHaveNoNulls(t *testing.T) {
	r := New(Config{Timing: true})
	s := r.Snapshot()
	var w writes
	require.NoError(t, s.WriteJSON(&w, 12, 3))
	require.Len(t, w, 1)
	assert.NotContains(t, w[0], "null")
	var back map[string]any
	require.NoError(t, json.Unmarshal([]byte(w[0]), &back))
	assert.EqualValues(t, 12, back["process"])
	assert.EqualValues(t, 3, back["rank"])
}
