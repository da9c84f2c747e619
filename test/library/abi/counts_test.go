package abi

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func TestNamesThatAreNoTextAreRefused(t *testing.T) {
	host := linked(t, "wild_names.c")
	for _, cache := range []string{"on", "off"} {
		for _, o := range outcomes(t, chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host)) {
			if o.name == "known" {
				require.Equal(t, "value", o.value)
				continue
			}
			require.Equal(t, "null", o.value, o.name)
			require.Equal(t, 1, o.lines, o.text)
			require.Regexp(t, stockForm, o.text)
		}
	}
}

// Counters are per thread: no call of an ended thread may be lost, or counted twice when the next thread takes over its
// counters.
func TestCallsOfThreadsThatEndedAreCountedExactly(t *testing.T) {
	host := linked(t, "counts.c")
	for _, driver := range []string{null, soft} {
		for _, timing := range []string{"MGPU_STATS=", "MGPU_STATS=1"} {
			r := chost.Run(t, []string{driver, timing}, host)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Equal(t, "wrong: 0\n", r.Stdout, r.Stderr)
		}
	}
}

// C counts its own calls, also with MGPU_STATS: the table is about the same program.
func TestStatisticsAreTheSameWithAndWithoutTheFastPath(t *testing.T) {
	type table struct {
		Functions []struct {
			Name                         string
			Calls, Hits, Misses, Refused int
			DriverCalls                  int `json:"driver_calls"`
		}
		Memory []struct {
			Live        int `json:"in_use"`
			Reserved    int `json:"from_driver"`
			Hits        int
			Waited      int `json:"hits_after_waiting"`
			Misses      int
			FreesWaited int `json:"frees_that_waited"`
		}
	}
	host, seen := linked(t, "tally.c"), map[string]table{}
	for _, fastpath := range []string{"on", "off"} {
		stats, memory := filepath.Join(t.TempDir(), "s.json"), filepath.Join(t.TempDir(), "m.json")
		r := chost.Run(t, []string{null, "MGPU_STATS=" + stats, "MGPU_TEST_FASTPATH=" + fastpath}, host, memory)
		require.Equal(t, "exit 0", r.End, r.Stderr)
		text, err := os.ReadFile(stats)
		require.NoError(t, err)
		var s table
		require.NoError(t, json.Unmarshal(text, &s), "%s", text)
		seen[fastpath] = s
		blocks, err := os.ReadFile(memory)
		require.NoError(t, err)
		require.Equal(t, fastpath == "on", bytes.Contains(blocks, []byte(`"state": "listed"`)), "blocks on C's lists")
	}
	require.NotZero(t, seen["on"].Memory[0].Hits)
	require.NotZero(t, seen["on"].Memory[0].Waited)
	require.Equal(t, seen["off"], seen["on"])
}
