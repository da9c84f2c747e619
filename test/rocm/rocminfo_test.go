package rocm

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// TestRocminfoListsTheGPUs runs AMD's tool. It looks for the kernel's driver first: a
// command and a library of this test claim that it is there.
func TestRocminfoListsTheGPUs(t *testing.T) {
	dir := thunk(t)
	toolchain.Need(t, "rocminfo")
	driver := chost.Build(t, "driver.so", []string{"hosts/driver.c"}, "-shared", "-fPIC", "-ldl")
	commands := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(commands, "lsmod"), []byte("#!/bin/sh\necho amdgpu\n"), 0o700))
	for chip, isa := range map[string]string{
		"gfx906":        "amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-",
		"gfx90a:xnack+": "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack+",
	} {
		r := chost.Run(t, []string{"LD_LIBRARY_PATH=" + dir, "LD_PRELOAD=" + driver, "PATH=" + commands + ":" + os.Getenv("PATH"),
			"MGPU_SOFT_CHIP=" + chip, "MGPU_SOFT_DEVICES=2", "MGPU_SOFT_MEMORY=1GiB"}, "/usr/bin/rocminfo")
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.Contains(t, r.Stdout, isa)
		require.Contains(t, r.Stdout, "Software GPU (gfx9")
		require.Regexp(t, `(?m)^Agent 3`, r.Stdout)
		require.Contains(t, r.Stdout, "1048576(0x100000) KB")
	}
}
