package fakehip

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestStreamsThatTheProgramDestroyedAreNotAskedAbout: libcuda would crash; the library for tests ends the process.
func TestStreamsThatTheProgramDestroyedAreNotAskedAbout(t *testing.T) {
	path := chost.Build(t, "unchecked", []string{filepath.Join("hosts", "unchecked.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11", "-pthread", "-ldl")...)
	cases := strings.Split(strings.TrimSpace(chost.Run(t, nil, path).Stdout), "\n")
	require.Greater(t, len(cases), 4)
	for name, env := range map[string]string{
		"on": "", "through Go": "MGPU_TEST_FASTPATH=off", "kernels that take a while": "FAKEHIP_COSTS=kernel=300,fill=100",
	} {
		for _, what := range cases {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				r := chost.Run(t, []string{env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "MGPU_TEST_STREAMS=unchecked", "FAKEHIP_UNCHECKED=1",
					"FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak"}, path, filepath.Join(folder(t), "suite.bundle"), "empty", what)
				require.Equal(t, "exit 0", r.End, r.Stderr)
				require.Equal(t, "ok\n", r.Stdout)
				require.Empty(t, r.Stderr)
			})
		}
	}
}
