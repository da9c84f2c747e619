package rocm

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A free ends copies and fills that the host could see, of memory that the program shares
// with the device past the library: see test/fakehip/hosts/visible.c.
func TestAFreeEndsWhatTheHostCouldSeeOfCopiesAndFills(t *testing.T) {
	host := filepath.Join("..", "fakehip", "hosts", "visible.c")
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		for what, kinds := range map[string]string{
			"from": "page-locked registered", "words": "managed", "halves": "page-locked", "from, recorded": "page-locked",
		} {
			for _, kind := range strings.Fields(kinds) {
				t.Run(kind+"/"+what, func(t *testing.T) {
					r := s.overMGPU(t, host, nil, s.kernels(t, "gfx906"), "await", what, kind)
					require.Equal(t, "exit 0", r.End, r.Stderr)
					require.Contains(t, r.Stdout, "ok\n")
				})
			}
		}
	})
}
