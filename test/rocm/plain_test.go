package rocm

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// plain is hosts/plain.hip, compiled for a chip as a HIP program is and linked with the
// suite's HIP.
func (s *suite) plain(t *testing.T, chip string) string {
	t.Helper()
	return s.linked(t, s.object(t, chip), "plain."+chip)
}

// object compiles hosts/plain.hip with the HIP headers of the machine.
func (s *suite) object(t *testing.T, chip string) string {
	t.Helper()
	toolchain.Need(t, "clang++-22", "clang-offload-bundler-22", "ld.lld-22")
	libraries := toolchain.DeviceLibraries(t)
	version := min(s.version, "5") // Debian 12's device libraries know no later one
	return once("plain."+chip+"."+version+".o", func(path string) {
		out, err := exec.Command("clang++-22", "-x", "hip", "hosts/plain.hip", "-c", "-o", path, "-O2", "-Wno-unused-value", "-Wno-linker-warnings",
			"--offload-arch="+chip, "-mcode-object-version="+version, "-D__AMDGCN_WAVEFRONT_SIZE=64",
			"--rocm-path=/usr", "--rocm-device-lib-path="+libraries,
			"-Xclang", "-mlink-builtin-bitcode", "-Xclang", filepath.Join(libraries, "hip.bc")).CombinedOutput()
		require.NoError(t, err, string(out))
	})
}

// linked is a program made of an object, with the suite's HIP.
func (s *suite) linked(t *testing.T, object, name string) string {
	t.Helper()
	return once(name+"."+s.name, func(path string) {
		args := []string{object, "-o", path, "-Wl,--allow-shlib-undefined"}
		if root := s.root(t); root != "" {
			args = append(args, "-L"+filepath.Join(root, "usr", "lib", "x86_64-linux-gnu"))
		}
		out, err := exec.Command("clang++-22", append(args, "-l:"+s.library)...).CombinedOutput()
		require.NoError(t, err, string(out))
	})
}

func TestPlainHIPPrograms(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		chips := []string{"gfx906"}
		if chost.Long() { // Debian 12 has no device libraries for gfx942
			chips = append(chips, "gfx90a")
		}
		for _, chip := range chips {
			parts := []string{"reduction", "matmul", "streams", "cooperative", "capture", "managed", "peers"}
			if s != bookworm { // HIP 5.2.3 crashes on what LLVM 22 makes of kernels that call the host
				parts = append(parts, "printf", "assert")
			}
			for _, part := range parts {
				t.Run(chip+"/"+part, func(t *testing.T) { s.part(t, chip, part) })
			}
		}
	})
}

// part runs a part of hosts/plain.hip.
func (s *suite) part(t *testing.T, chip, part string) {
	r := s.start(t, []string{"MGPU_SOFT_CHIP=" + chip, "MGPU_SOFT_DEVICES=2"}, s.plain(t, chip), part)
	if part == "assert" {
		require.Contains(t, r.Stdout+r.Stderr, "one is asked for")
		s.ends(t, r, "hipErrorLaunchFailure")
		return
	}
	require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
	require.Contains(t, r.Stdout, "ok\n")
	if part == "printf" {
		require.Contains(t, r.Stdout, "item 3 of block 0 says 42 and text\n")
	}
}
