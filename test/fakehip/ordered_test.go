package fakehip

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestWhatComesAfterAFreeFollowsWhatWasBefore: work after a free follows the earlier work of all streams, and nothing else.
func TestWhatComesAfterAFreeFollowsWhatWasBefore(t *testing.T) {
	path := chost.Build(t, "ordered", []string{filepath.Join("hosts", "ordered.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11", "-pthread", "-ldl")...)
	image := filepath.Join(folder(t), "suite.bundle")
	cases := strings.Split(strings.TrimSpace(chost.Run(t, nil, path).Stdout), "\n")
	require.Greater(t, len(cases), 5)
	for name, env := range map[string]string{
		"on": "", "through Go": "MGPU_TEST_FASTPATH=off", "two devices": "FAKEHIP_DEVICES=2", "graphs": "MGPU_GRAPH=auto", "off": "MGPU_CACHE=off",
		"unchecked": "MGPU_TEST_STREAMS=unchecked", "unchecked, through Go": "MGPU_TEST_STREAMS=unchecked MGPU_TEST_FASTPATH=off",
	} {
		for _, what := range cases {
			if name == "off" && strings.Contains(what, "region") {
				continue // nothing is recorded
			}
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				r := chost.Run(t, append(strings.Fields(env), "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY="+Library(t), "FAKEHIP_COSTS=kernel=20000", "FAKEHIP_IGNORE=leak"),
					path, image, "empty", "spin_until", what)
				require.Equal(t, "exit 0", r.End, r.Stderr)
				require.Equal(t, "ok\n", r.Stdout)
			})
		}
	}
}
