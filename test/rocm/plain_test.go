package rocm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
	libraries, lanes := toolchain.DeviceLibraries(t), "64"
	if strings.HasPrefix(chip, "gfx1") {
		lanes = "32"
	}
	if strings.HasPrefix(chip, "gfx11") {
		libraries = forGFX11(t, libraries, chip)
	}
	version := min(s.version, "5") // Debian 12's device libraries know no later one
	return chost.Once("plain."+chip+"."+version+".o", func(path string) {
		out, err := exec.Command("clang++-22", "-x", "hip", "hosts/plain.hip", "-c", "-o", path, "-O2", "-Wno-unused-value", "-Wno-linker-warnings",
			"--offload-arch="+chip, "-mcode-object-version="+version, "-D__AMDGCN_WAVEFRONT_SIZE="+lanes,
			"--rocm-path=/usr", "--rocm-device-lib-path="+libraries,
			"-Xclang", "-mlink-builtin-bitcode", "-Xclang", filepath.Join(libraries, "hip.bc")).CombinedOutput()
		require.NoError(t, err, string(out))
	})
}

// forGFX11 is a folder with the device libraries in another, and the one that names a chip: Debian 12's are older.
func forGFX11(t *testing.T, folder, chip string) string {
	t.Helper()
	return chost.Once("bitcode."+chip, func(path string) {
		require.NoError(t, os.Mkdir(path, 0o700))
		files, err := filepath.Glob(filepath.Join(folder, "*.bc"))
		require.NoError(t, err)
		for _, file := range files {
			require.NoError(t, os.Symlink(file, filepath.Join(path, filepath.Base(file))))
		}
		number := strings.TrimPrefix(chip, "gfx")
		source := fmt.Sprintf("@__oclc_ISA_version = linkonce_odr protected addrspace(4) constant i32 %s0%s\n", number[:3], number[3:])
		_, err = toolchain.Run([]byte(source), nil, "clang-22", "-x", "ir", "-", "-c", "-emit-llvm", "-target", "amdgcn-amd-amdhsa", "-nogpulib",
			"-o", filepath.Join(path, "oclc_isa_version_"+number+".bc"))
		require.NoError(t, err)
	})
}

// linked is a program made of an object, with the suite's HIP.
func (s *suite) linked(t *testing.T, object, name string) string {
	t.Helper()
	return chost.Once(name+"."+s.name, func(path string) {
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
		if s != bookworm { // HIP 5.2.3 is older
			chips = append(chips, "gfx1100")
		}
		if chost.Long() { // Debian 12 has no device libraries for gfx942
			chips = append(chips, "gfx90a", "gfx1030")
		}
		for _, chip := range chips {
			parts := []string{"reduction", "matmul", "streams", "cooperative", "capture", "managed", "peers"}
			if s != bookworm { // HIP 5.2.3 crashes on LLVM 22's code for kernels that call the host
				parts = append(parts, "printf", "assert")
			}
			if chip == "gfx1100" && s != trixie { // Debian 12's device libraries synchronize grids as HIP 5 lets them there
				parts = slices.DeleteFunc(parts, func(part string) bool { return part == "cooperative" })
			}
			for _, part := range parts {
				t.Run(chip+"/"+part, func(t *testing.T) { s.part(t, chip, part) })
			}
		}
	})
}

// TestKernelsOfAProgramsOwnCodeAreWatched: the runtime names the program's file, or the dynamic loader's that it was
// started by. A name has its special characters escaped.
func TestKernelsOfAProgramsOwnCodeAreWatched(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		path := filepath.Join(t.TempDir(), "a +%41 program")
		text, err := os.ReadFile(s.plain(t, "gfx906"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, text, 0o700))
		r := s.start(t, []string{"MGPU_SOFT_CHIP=gfx906", "MGPU_CHECK=memory,race", "HSA_DISABLE_FRAGMENT_ALLOCATOR=1"}, path, "matmul")
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.Contains(t, r.Stderr, "mgpu check: memory,race: 1 launch: nothing found\n")
	})
}

// part runs one part of hosts/plain.hip.
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
