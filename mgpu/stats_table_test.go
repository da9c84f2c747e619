package mgpu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/internal/null"
)

// writes records each write.
type writes []string

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	return len(p), nil
}

func TestTheTableIsWrittenOnceAndSaysTotalsOnce(t *testing.T) {
	used := alloccache.Usage{Reserved: 4096}
	s := Snapshot{
		Functions: []FunctionStats{{Name: "mgpuMemcpy", Calls: 5}, {Name: "mgpuMemFree", Calls: 4}},
		Memory: []MemoryStats{
			{Usage: used, Staged: 2, Waits: Waits{Shared: 1}},
			{Usage: used, Staged: 3, Waits: Waits{Foreign: 2, Abandoned: 1}},
			{},
		},
	}
	var w writes
	require.NoError(t, s.WriteTable(&w))
	require.Len(t, w, 1)
	table := w[0]
	assert.Equal(t, 2, strings.Count(table, "memory of device "), table)
	assert.Equal(t, 1, strings.Count(table, "copies: "), table)
	assert.Contains(t, table, "\ncopies: 5 staged\n")
	assert.Equal(t, 1, strings.Count(table, "frees that waited: "), table)
	assert.Contains(t, table, "\nfrees that waited: 1 as the host sees memory, 2 for foreign streams, 1 for destroyed ones\n")
}

// several is a driver with two devices.
type several struct {
	*copier
	device int
}

func (d *several) DeviceCount() int     { return 2 }
func (d *several) Device() (int, error) { return d.device, nil }
func (d *several) SetDevice(device int) error {
	d.device = device
	return nil
}

func TestCopiesAreCountedByDevice(t *testing.T) {
	d := &several{copier: &copier{capturing: &capturing{Driver: null.Open(null.Options{})}, host: make([]byte, 1<<20)}}
	h := over(d, Config{FastPath: &fastPath{}})
	for device, copies := range []int{2, 3} {
		d.device = device
		s, block := h.StreamCreate(), h.MemAlloc(64<<10, 0, false)
		h.stagingWon()
		for range copies {
			require.True(t, h.copied(addressOfBytes(d.host), block, 64<<10, s))
		}
	}
	assert.EqualValues(t, 2, h.MemoryStats(0).Staged)
	assert.EqualValues(t, 3, h.MemoryStats(1).Staged)
	assert.Zero(t, h.MemoryStats(2).Staged)
	h.requireSilence(t)
}
