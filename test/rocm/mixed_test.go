package rocm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// Also if the program frees by mgpuMemFree the memory that HIP has put in its place.
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

// There is no /dev/kfd, without which mgpu takes its own software GPU, whose handles are not HIP's.
func TestTheCommandRunsBothOnOneHIP(t *testing.T) {
	command := commandOf(t)
	r := chost.Run(t, nil, command, "run", "--rocm", "--stats", mgpuHost(t, "hosts/mixed.c"), "fresh", machine.library)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Regexp(t, `(?m)^(ok|elsewhere)$`, r.Stdout)
	require.Contains(t, r.Stderr, "\nmgpu statistics: driver hip, ")
	require.Equal(t, 1, strings.Count(r.Stderr, "mgpu statistics"), r.Stderr)
	r = chost.Run(t, nil, command, "run", "--rocm", "-e", "MGPU_DRIVER=null", mgpuHost(t, "hosts/mixed.c"), "fresh", machine.library)
	require.NotEqual(t, "exit 0", r.End, "what is set holds")
}
