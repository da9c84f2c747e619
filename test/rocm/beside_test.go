package rocm

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// besideHIP runs parts of hosts/beside.c, a program that calls HIP beside mgpu: it computes what it
// should, and nothing is reported.
func besideHIP(t *testing.T, env []string, parts ...string) {
	t.Helper()
	everywhere(t, func(t *testing.T, s *suite) {
		if s.name == "sid" && slices.Contains(parts, "events") {
			t.Skip("HIP 6.4.3 ends a capture when an event that was recorded in it is asked for, as the library does before it reuses one")
		}
		s.root(t)
		env := append([]string{"MODULE=" + s.kernels(t, "gfx906"), "MGPU_SOFT_CHIP=gfx906"}, env...)
		for _, part := range parts {
			r := s.overMGPU(t, "hosts/beside.c", env, part)
			require.Equal(t, "exit 0", r.End, "%s: %s%s", part, r.Stdout, r.Stderr)
			require.True(t, strings.HasSuffix(r.Stdout, "ok\n"), "%s: %s", part, r.Stdout)
			require.NotContains(t, r.Stderr, "failed with", part)
		}
	})
}

func TestAStreamThatIsCapturedComesFromNoPool(t *testing.T) {
	besideHIP(t, nil, "captured", "threads", "joined")
}

func TestAnEventThatWasCapturedComesFromNoPool(t *testing.T) { besideHIP(t, nil, "events") }

func TestNothingThatADeviceResetDestroysIsGivenOut(t *testing.T) {
	besideHIP(t, nil, "reset", "resets of threads", "resets of graphs")
	besideHIP(t, []string{"MGPU_TEST_GRAPH=always"}, "reset")
	besideHIP(t, []string{"MGPU_SOFT_DEVICES=2"}, "resets of one")
}

func TestStreamsAndEventsMayBeDestroyedByHIP(t *testing.T) { besideHIP(t, nil, "destroyed") }
