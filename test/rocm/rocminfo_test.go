package rocm

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// TestRocminfoListsTheGPUs runs AMD's tool of each release, which looks for the kernel's module first.
func TestRocminfoListsTheGPUs(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		program := filepath.Join(s.root(t), "usr", "bin", "rocminfo")
		if s == machine {
			toolchain.Need(t, "rocminfo")
			program = "/usr/bin/rocminfo"
		}
		for chip, isa := range map[string]string{
			"gfx906":        "amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-",
			"gfx90a:xnack+": "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack+",
		} {
			r := s.start(t, []string{"MGPU_SOFT_CHIP=" + chip, "MGPU_SOFT_DEVICES=2", "MGPU_SOFT_MEMORY=1GiB"}, program)
			require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
			require.Contains(t, r.Stdout, isa)
			require.Contains(t, r.Stdout, "Software GPU (gfx9")
			require.Regexp(t, `(?m)^Agent 3`, r.Stdout)
			require.Contains(t, r.Stdout, "1048576(0x100000) KB")
		}
		if s == bookworm {
			return // it knows no chip of RDNA3
		}
		r := s.start(t, []string{"MGPU_SOFT_CHIP=gfx1100"}, program)
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		for _, line := range []string{`Name: +amdgcn-amd-amdhsa--gfx1100`, `Compute Unit: +96`, `SIMDs per CU: +2`, `Shader Engines: +6`, `Wavefront Size: +32\(`, `Max Waves Per CU: +32\(`} {
			require.Regexp(t, line, r.Stdout)
		}
	})
}
