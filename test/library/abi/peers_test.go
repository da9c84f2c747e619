package abi

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// Threads that change devices find in each device's memory what a model predicts, whichever part of the library serves
// them. With MGPU_TEST_LONG each takes a minute.
func TestRandomProgramsOnSeveralDevicesDoWhatAModelSays(t *testing.T) {
	host, image := linked(t, "peers.c"), kernels(t)
	calls, seconds := "150", "0"
	if chost.Long() {
		calls, seconds = "1000", "60"
	}
	for i, env := range []string{"MGPU_GRAPH=auto", "MGPU_GRAPH=off", "MGPU_TEST_GRAPH=always", "MGPU_TEST_FASTPATH=off", "MGPU_CACHE=off", "MGPU_MEM_CACHE=off", "MGPU_DEVICE=2", "MGPU_CHECK=all"} {
		for _, threads := range []string{"1", "4"} {
			t.Run(env+", threads "+threads, func(t *testing.T) {
				r := chost.Run(t, []string{soft, devices3, env}, host, image, strconv.Itoa(i), threads, calls, seconds)
				require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
				if env == "MGPU_CHECK=all" {
					require.Regexp(t, `^mgpu check: \S+: \d+ launches: nothing found\n$`, r.Stderr)
				} else {
					require.Empty(t, r.Stderr)
				}
				require.Regexp(t, `^[1-9]\d* programs of `+threads+` threads on 3 devices: .* [1-9]\d* copies between devices, [1-9]\d* frees under way\n$`, r.Stdout)
			})
		}
	}
	r := chost.Run(t, []string{soft}, host, image, "1", "1", "1")
	require.Equal(t, "exit 2", r.End)
	require.Equal(t, "1 devices: there have to be 2 to 16\n", r.Stdout)
}
