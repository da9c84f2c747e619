package rocm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Also where the program frees by mgpuMemFree what HIP has put in its place.
func TestMemoryThatTheProgramFreedByHIPIsNotGivenOut(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		for what, env := range map[string]string{"fresh": "", "known to mix": "", "replaced": "", "inside": "", "cached": "MGPU_CHECK=leak"} {
			t.Run(what, func(t *testing.T) {
				r := s.overMGPU(t, "hosts/mixed.c", []string{env}, what)
				require.Equal(t, "exit 0", r.End, r.Stderr)
				require.Regexp(t, `(?m)^(ok|elsewhere)$`, r.Stdout)
				if s == bookworm {
					require.Equal(t, "ok\n", r.Stdout, "HIP 5.2.3 gives out the same addresses again")
				}
				if env != "" && r.Stdout == "ok\n" {
					require.Regexp(t, `(?m)^mgpu check: leak: the block of 1048576 bytes at 0x[0-9a-f]+ was freed by another call than mgpuMemFree: 4096 bytes are there now$`, r.Stderr)
				}
				require.NotContains(t, r.Stderr, "failed with")
			})
		}
	})
}
