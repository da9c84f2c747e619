package rocm

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// modules runs hosts/modules.c, whose module has a constant, with or without a name for the
// host.
func (s *suite) modules(t *testing.T, named bool, part string, env ...string) chost.Result {
	t.Helper()
	toolchain.Need(t, "clang-22", "ld.lld-22")
	visibility := map[bool]string{true: "protected", false: "hidden"}[named]
	image := chost.Once("constants."+visibility+"."+s.version, func(path string) {
		out, err := exec.Command("clang-22", "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx906", "-DVISIBILITY=\""+visibility+"\"",
			"-mcode-object-version="+s.version, "-O2", "-nogpulib", "--ld-path=ld.lld-22", "-o", path, "hosts/constants.cl").CombinedOutput()
		require.NoError(t, err, string(out))
	})
	library := chost.Library(t)
	env = append(env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY="+s.library, "MGPU_SOFT_CHIP=gfx906", "CONSTANTS="+image)
	return s.start(t, env, s.programOf(t, "modules", s.library, chost.Linked(library)...), part)
}

func TestConstantsThatTheHostSetsAreThoseOfOneLoad(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		for _, cache := range []string{"on", "off"} {
			r := s.modules(t, true, "constants", "MGPU_CACHE="+cache)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.NotContains(t, r.Stderr, "mgpu")
			require.Equal(t, strings.Repeat("loaded: 11 22 33 44\nset: 110 120 130 140\n", 3)+
				"the other: 11 22 33 44\nset: 210 220 230 240\n", r.Stdout, cache)
		}
	})
}

func TestModulesThatHIPUnloadsAreLoadedAgain(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		for _, c := range []struct {
			named bool
			cache string
		}{{false, "on"}, {false, "off"}, {true, "on"}} {
			r := s.modules(t, c.named, "unloads", "MGPU_CACHE="+c.cache)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.NotContains(t, r.Stderr, "mgpu")
			const sum = ": 11 22 33 44\n"
			require.Equal(t, strings.Repeat("HIP's"+sum, 4)+strings.Repeat("mgpu's"+sum, 4)+strings.Repeat("thread"+sum, 2)+"last"+sum, r.Stdout)
		}
	})
}

func TestOneOfTwoLoadsMayBeUnloadedByHIP(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		for _, cache := range []string{"on", "off"} {
			r := s.modules(t, false, "two", "MGPU_CACHE="+cache)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.NotContains(t, r.Stderr, "mgpu")
			require.Equal(t, "first: 11 22 33 44\nsecond: 11 22 33 44\nfirst: 11 22 33 44\n", r.Stdout, cache)
		}
	})
}

func TestModulesThatBothLibrariesUnloadAreErrorsAndNotGivenOut(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.modules(t, false, "both")
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Equal(t, 2, strings.Count(r.Stderr, "'mgpuModuleUnload' failed with "), r.Stderr)
		require.Equal(t, 2, strings.Count(r.Stderr, " was unloaded before"), r.Stderr)
		require.Equal(t, "both: 11 22 33 44\nboth: 11 22 33 44\nlast: 11 22 33 44\n", r.Stdout)
	})
}
