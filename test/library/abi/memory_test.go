package abi

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// misuses are the parts of memory.c, with the lines that each prints.
var misuses = map[string][]string{
	"sizes":                           nil,
	"too large":                       {`bytes wanted`, `bytes wanted`},
	"exhausted":                       {`^'hipMalloc' failed with 'hipErrorOutOfMemory': 35184372088832 bytes wanted, 1 in use, 0 cached, \d+ at most so far`},
	"freed twice":                     {`^'mgpuMemFree\(0x\w+\)' failed with 'hipErrorInvalidValue': the block at 0x\w+ was freed before$`},
	"freed inside":                    {`: 0x\w+ lies inside the block of 100000 bytes at 0x\w+$`},
	"garbage":                         {`^'hipFree' failed with 'hipErrorInvalidValue': no block starts at 0x1234560$`, `starts at 0x`, `starts at 0x`, `starts at 0xf+$`},
	"another thread":                  nil,
	"two threads at once":             {`was freed before$`},
	"another device":                  nil,
	"a scope that was not begun":      {`^'mgpuxAllocCacheEnd\(0x\w+\)' failed with 'hipErrorInvalidValue': this scope is not the one that the thread began last$`},
	"a scope ended twice":             {`began last$`},
	"scopes ended in another order":   {`began last$`},
	"a scope ended by another thread": {`began last$`},
	"a scope in use":                  {`^'mgpuxAllocCacheDestroy\(0x\w+\)' failed with 'hipErrorInvalidValue': it is in use: begun 1 time more than ended, 1 block allocated$`},
	"memory of a scope that ended":    {`was freed before$`},
	"no such question":                {`^'mgpuxAllocCacheInfo' failed with 'hipErrorInvalidValue': what=3: it is 0 \(free blocks\), 1 \(busy blocks\) or 2 \(bytes\)$`},
	"a scope that was destroyed":      {`'mgpuxAllocCacheBegin.*there is no such cache`, `'mgpuxAllocCacheInfo.*there is no such cache`},
	"too many scopes":                 {`^'mgpuxAllocCacheBegin' failed with '32 scopes are open on this thread'$`},
	"a scope never ended":             nil,
	"scratch":                         nil,
	"scratch that can't grow":         {`^'hipMalloc' failed with 'hipErrorOutOfMemory': 35184372088832 bytes wanted`},
	"snapshots":                       nil,
	"snapshots to nowhere":            {`^'mgpuxMemorySnapshot' failed with 'hipErrorInvalidValue': /proc/version/none: not a directory$`, `is not the address of a name$`, `: /proc: is a directory$`, `: no space left on device$`},
	"statistics":                      nil,
}

func TestMemoryUsedWrongly(t *testing.T) {
	host := linked(t, "memory.c")
	snapshot := filepath.Join(t.TempDir(), "memory.json")
	r := chost.Run(t, []string{soft, "MGPU_SOFT_DEVICES=2"}, host, snapshot)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	said := map[string][]string{}
	var at string
	for _, line := range r.Lines() {
		if name, ok := strings.CutPrefix(line, "# "); ok {
			at = name
			said[at] = nil
			continue
		}
		said[at] = append(said[at], line)
	}
	require.Len(t, said, len(misuses))
	for name, lines := range misuses {
		require.Len(t, said[name], len(lines), name)
		for i, line := range lines {
			require.Regexp(t, line, said[name][i], name)
		}
	}

	var seen struct {
		Devices []struct{ Device, Live, Peak, Reserved, Cached uint64 }
		Blocks  []struct {
			Address, Kind, State, Call, From string
			Bytes, Asked, Device             uint64
			Scoped                           bool
			Seconds                          float64
		}
	}
	text, err := os.ReadFile(snapshot)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &seen))
	require.Len(t, seen.Devices, 2)
	calls := map[string]bool{}
	for _, b := range seen.Blocks {
		calls[b.Call+" "+b.State] = true
		require.Contains(t, b.From, filepath.Base(host))
		require.LessOrEqual(t, b.Asked, b.Bytes)
	}
	require.Subset(t, calls, map[string]bool{"mgpuxScratch live": true, "mgpuMemAlloc live": true})
}

func TestLevelsOfTheCacheOfMemory(t *testing.T) {
	host := linked(t, "rounds.c")
	for _, env := range []string{"MGPU_MEM_CACHE=strict", "MGPU_MEM_CACHE=off", "MGPU_MEM_FILL=poison", "MGPU_MEM_FILL=zero",
		"MGPU_MEM_LIMIT=1MiB", "MGPU_MEM_LIMIT=0", "MGPU_MEM_LIMIT=0%", "MGPU_CACHE=off"} {
		r := chost.Run(t, []string{soft, env}, host)
		require.Equal(t, "exit 0", r.End, "%s: %s", env, r.Stderr)
		require.Empty(t, r.Stderr, env)
	}
}

// Blocks that C caches count, too.
func TestFreeBlocksStayBelowTheLimit(t *testing.T) {
	host := linked(t, "limits.c")
	for limit, least := range map[uint64]uint64{0: 0, 1 << 20: 1 << 17, 100 << 20: 1 << 25, 1 << 34: 1 << 27} {
		for _, threads := range []string{"1", "4"} {
			r := chost.Run(t, []string{"MGPU_DRIVER=null", fmt.Sprintf("MGPU_MEM_LIMIT=%d", limit)}, host, threads)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			cached, err := strconv.ParseUint(strings.TrimSpace(r.Stdout), 10, 64)
			require.NoError(t, err)
			require.LessOrEqual(t, cached, limit, "%s threads", threads)
			require.GreaterOrEqual(t, cached, least, "%s threads, below %d", threads, limit)
		}
	}
}

// Ended threads take no share of the limit from a thread that frees large blocks.
func TestAThreadUsesWhatOthersLeaveOfTheLimit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.json")
	host := linked(t, "ended.c")
	for bytes, states := range map[string][]string{"64": {"listed", "listed"}, "0x4000000": {"listed", "listed"}, "0x10000000": {"free", "listed"}} {
		r := chost.Run(t, []string{"MGPU_DRIVER=null", "MGPU_MEM_LIMIT=4GiB"}, host, bytes, file)
		require.Equal(t, "exit 0", r.End, r.Stderr)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var seen struct{ Blocks []struct{ State string } }
		require.NoError(t, json.Unmarshal(text, &seen))
		require.GreaterOrEqual(t, len(seen.Blocks), 2)
		require.Equal(t, states, []string{seen.Blocks[0].State, seen.Blocks[1].State}, bytes)
	}
}

// Scratch buffers survive whatever is cached, and the checker sees each as its own allocation.
func TestScratchWorksWhereMemoryIsNotKept(t *testing.T) {
	host, image := linked(t, "scratch.c"), kernels(t)
	for _, env := range []string{"MGPU_MEM_CACHE=strict", "MGPU_MEM_CACHE=off", "MGPU_CACHE=off"} {
		r := chost.Run(t, []string{soft, env}, host, image, "64")
		require.Equal(t, "exit 0", r.End, env)
		require.Equal(t, "8 8\n", r.Stdout, env)
		require.Empty(t, r.Stderr, env)
		for _, check := range []string{"memory", "memory,race,uninit"} {
			r = chost.Run(t, []string{soft, env, "MGPU_CHECK=" + check}, host, image, "64")
			require.Equal(t, "exit 0", r.End, env)
			require.Equal(t, []string{"mgpu check: " + check + ": 2 launches: nothing found"}, r.Lines(), env)
			r = chost.Run(t, []string{soft, env, "MGPU_CHECK=" + check}, host, image, "65")
			require.Regexp(t, `(?m)^mgpu check: memory: write of 4 bytes at 0x\w+, in kernel fill`, r.Stderr, env)
			require.Regexp(t, `is 0 bytes past the end of the block of 256 bytes at 0x\w+, allocated by mgpu call \d+`, r.Stderr, env)
		}
	}
	r := chost.Run(t, []string{soft, "MGPU_CHECK=memory"}, host, image, "64")
	require.Equal(t, []string{"mgpu check: memory: 2 launches: nothing found"}, r.Lines())
}

func TestMemoryIsFilledToItsLastByte(t *testing.T) {
	host := linked(t, "fills.c")
	for _, fill := range []string{"poison", "zero"} {
		r := chost.Run(t, []string{soft, "MGPU_MEM_FILL=" + fill}, host, fill)
		require.Equal(t, "exit 0", r.End, "%s: %s", fill, r.Stderr)
		require.Empty(t, r.Stderr)
	}
}

func TestSettingsOfMemoryThatAreWrongAreSaid(t *testing.T) {
	host := linked(t, "rounds.c")
	for env, says := range map[string]string{
		"MGPU_MEM_CACHE=maybe":  "mgpu: MGPU_MEM_CACHE=maybe is invalid, and the default is used: expected strict or off",
		"MGPU_MEM_CACHE=stream": "mgpu: MGPU_MEM_CACHE=stream is invalid, and the default is used: expected strict or off; stream was removed",
		"MGPU_MEM_FILL=seven":   "mgpu: MGPU_MEM_FILL=seven is invalid, and the default is used: expected poison or zero",
		"MGPU_MEM_LIMIT=much":   "mgpu: MGPU_MEM_LIMIT=much is invalid, and the default is used: expected a number of bytes (4GiB) or a share of what is free at first use (50%)",
		"MGPU_MEM_LIMIT=101%":   "mgpu: MGPU_MEM_LIMIT=101% is invalid, and the default is used: expected a number of bytes (4GiB) or a share of what is free at first use (50%)",
	} {
		r := chost.Run(t, []string{soft, env}, host)
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Equal(t, []string{says}, r.Lines())
	}
}

func TestCAndGoAgreeOnSizes(t *testing.T) {
	snapshot := filepath.Join(t.TempDir(), "memory.json")
	r := chost.Run(t, []string{null}, linked(t, "classes.c"), snapshot)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	text, err := os.ReadFile(snapshot)
	require.NoError(t, err)
	var seen struct {
		Blocks []struct{ Bytes, Asked uint64 }
	}
	require.NoError(t, json.Unmarshal(text, &seen))
	require.Greater(t, len(seen.Blocks), 500)
	for _, b := range seen.Blocks {
		require.GreaterOrEqual(t, b.Bytes, b.Asked)
		if b.Asked > 512 {
			require.LessOrEqual(t, (b.Bytes-b.Asked)*8, b.Asked, "%d bytes have %d", b.Asked, b.Bytes)
		}
	}
}
