package rocm

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What comes after a free follows what was before: see test/fakehip/hosts/ordered.c.
func TestWhatComesAfterAFreeFollowsWhatWasBefore(t *testing.T) {
	host := filepath.Join("..", "fakehip", "hosts", "ordered.c")
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		for _, what := range []string{"a free", "a free by another thread", "a free, the first stream destroyed", "a free in a region, a copy within", "meet"} {
			t.Run(what, func(t *testing.T) {
				r := s.overMGPU(t, host, nil, s.kernels(t, "gfx906"), "await", "await", what)
				require.Equal(t, "exit 0", r.End, r.Stderr)
				require.Contains(t, r.Stdout, "ok\n")
			})
		}
	})
}
