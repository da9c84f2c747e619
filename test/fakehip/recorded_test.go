package fakehip

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// The random programs of test/library/abi over HIP, whose graphs stand a bounded number of
// changes and must not be changed while they execute: recorded or not they compute the
// same, and break none of HIP's rules.
func TestRandomProgramsAgreeWithAndWithoutRecordedGraphs(t *testing.T) {
	flags := append(chost.Linked(chost.Library(t)), "-std=gnu11", "-pthread")
	host := chost.Build(t, "graphs", []string{filepath.Join("..", "library", "abi", "hosts", "graphs.c")}, flags...)
	image := filepath.Join(folder(t), "suite.bundle")
	for seed := range 4 {
		run := func(regions string) string {
			r := chost.Run(t, []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak"},
				host, image, strconv.Itoa(seed), regions)
			require.Equal(t, "exit 0", r.End, "seed %d: %s", seed, r.Stderr)
			require.NotContains(t, r.Stderr, "failed with")
			require.NotContains(t, r.Stderr, "fakehip:")
			hash, rest, _ := strings.Cut(r.Stdout, "\n")
			recorded := regexp.MustCompile(`(?m)^graphs [1-9]`).MatchString(rest)
			require.Equal(t, regions == "1", recorded, "seed %d: %s", seed, r.Stdout)
			return hash
		}
		eager := run("0")
		require.NotEmpty(t, eager)
		require.Equal(t, eager, run("1"), "seed %d", seed)
	}
}
