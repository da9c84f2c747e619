package mgpu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/alloccache"
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
			{Usage: used, Waits: Waits{Shared: 1}},
			{Usage: used, Waits: Waits{Foreign: 2, Abandoned: 1}},
			{},
		},
	}
	var w writes
	require.NoError(t, s.WriteTable(&w))
	require.Len(t, w, 1)
	table := w[0]
	assert.Equal(t, 2, strings.Count(table, "memory of device "), table)
	assert.Equal(t, 1, strings.Count(table, "frees that waited: "), table)
	assert.Contains(t, table, "\nfrees that waited: 1 since the host sees memory or output, 2 for foreign streams, 1 for destroyed ones\n")
}
