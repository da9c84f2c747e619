package fakehip

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestMemoryIsNotReusedTooEarly: the library for tests watches the order in which memory is used.
func TestMemoryIsNotReusedTooEarly(t *testing.T) {
	path := chost.Build(t, "reuse", []string{filepath.Join("hosts", "reuse.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11", "-pthread")...)
	image := filepath.Join(folder(t), "suite.bundle")
	rounds := "10000"
	if chost.Long() {
		rounds = "200000"
	}
	// The mode, and the numbers of threads and streams.
	how := map[string]string{"one stream, by C": "calm 1 1", "two streams, by C": "calm 1 2", "a stream of each thread, by C": "calm 2 1",
		"shared with the host, by C": "share 1 1",
		"shared with the host":       "share", "shared with the host, of devices": "share",
		"foreign streams": "foreign", "foreign streams, of devices": "foreign"}
	for name, env := range map[string][]string{
		"shared with the host": {"FAKEHIP_COSTS=kernel=20"},
		"foreign streams":      {"FAKEHIP_COSTS=kernel=20"},
		"of devices":           {"FAKEHIP_COSTS=kernel=20", "FAKEHIP_DEVICES=2"},

		"shared with the host, of devices": {"FAKEHIP_COSTS=kernel=20", "FAKEHIP_DEVICES=2"},
		"foreign streams, of devices":      {"FAKEHIP_COSTS=kernel=20", "FAKEHIP_DEVICES=2"},

		"shared with the host, by C":    {"FAKEHIP_COSTS=kernel=20"},
		"one stream, by C":              {"FAKEHIP_COSTS=kernel=20"},
		"two streams, by C":             {"FAKEHIP_COSTS=kernel=5"},
		"a stream of each thread, by C": {"FAKEHIP_COSTS=kernel=5"},

		"kernels take no time": {"FAKEHIP_COSTS=kernel=0"},
		"kernels take a while": {"FAKEHIP_COSTS=kernel=60"},
		"through Go":           {"FAKEHIP_COSTS=kernel=20", "MGPU_TEST_FASTPATH=off"},
		"little memory":        {"FAKEHIP_COSTS=kernel=20", "FAKEHIP_MEMORY=448K"},
		"poison":               {"FAKEHIP_COSTS=kernel=20", "MGPU_MEM_FILL=poison"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{image, rounds}, strings.Fields(how[name])...)
			r := chost.Run(t, append(env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY="+Library(t), "FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak"), path, args...)
			require.Equal(t, "exit 0", r.End, r.Stderr+r.Stdout)
			require.Empty(t, r.Stderr)
			var wrong, hits, waited, misses, device int
			_, err := fmt.Sscanf(r.Stdout, "wrong %d hits %d waited %d misses %d device waits %d", &wrong, &hits, &waited, &misses, &device)
			require.NoError(t, err, r.Stdout)
			require.Zero(t, wrong)
			require.Equal(t, how[name] != "" && !strings.HasPrefix(how[name], "calm"), device > 0, "frees wait where the host could see that they don't")
			require.Greater(t, hits+waited, (hits+waited+misses)/4, "many allocations are answered; how many depends on what is done in time")
		})
	}
}

// TestCopiesHaveArrivedWhenTheProgramMayLook: after each way to wait for them.
func TestCopiesHaveArrivedWhenTheProgramMayLook(t *testing.T) {
	path := chost.Build(t, "arrivals", []string{filepath.Join("hosts", "arrivals.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11")...)
	image := filepath.Join(folder(t), "suite.bundle")
	for name, env := range map[string]string{"on": "", "through Go": "MGPU_TEST_FASTPATH=off", "off": "MGPU_CACHE=off"} {
		t.Run(name, func(t *testing.T) {
			r := chost.Run(t, []string{env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t),
				"FAKEHIP_COSTS=kernel=100", "FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak"}, path, image)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Empty(t, r.Stderr)
		})
	}
}

func TestNothingIsFreedWhenTheProcessExits(t *testing.T) {
	path := chost.Build(t, "steady", []string{filepath.Join("hosts", "steady.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11")...)
	counts := filepath.Join(t.TempDir(), "counts")
	r := chost.Run(t, []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_IGNORE=leak",
		"FAKEHIP_COUNTS=" + counts}, path)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	text, err := os.ReadFile(counts)
	require.NoError(t, err)
	require.Contains(t, string(text), "hipMalloc 1\n")
	require.NotRegexp(t, `hip(Free|HostFree|StreamDestroy|EventDestroy) [1-9]`, string(text))
}

func TestCopiesInASteadyStateAllocateNothing(t *testing.T) {
	path := chost.Build(t, "steady", []string{filepath.Join("hosts", "steady.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11")...)
	for _, fastpath := range []string{"on", "off"} {
		r := chost.Run(t, []string{"MGPU_TEST_FASTPATH=" + fastpath, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_IGNORE=leak"}, path)
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Empty(t, r.Stderr)
		n, err := strconv.Atoi(strings.TrimSpace(r.Stdout))
		require.NoError(t, err)
		require.Less(t, n, 50, "MGPU_TEST_FASTPATH=%s: 2500 rounds of 7 calls", fastpath)
	}
}
