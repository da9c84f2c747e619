package rocm

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// otherwise are those of AMD's tests that do not pass here, and why.
var otherwise = map[string]string{
	"rocrtstFunc.Max_Reference_Count":                    "opens the runtime 2^31 times",
	"rocrtstStress.Queue_CAS_Write_Index_ConcurrentTest": "threads that spin for each other: no end in 500 seconds on two busy cores",
	"rocrtstPerf.Memory_Async_Copy":                      "wants a GPU that belongs to a processor",
	"rocrtstPerf.Memory_Async_Copy_On_Engine":            "wants a GPU that belongs to a processor",
}

// atomics unlock memory that they have not locked: Debian builds the runtime with assertions.
var atomics = regexp.MustCompile(`\.Memory_Atomic_\w+_Test$`)

// TestAMDsTestsOfItsRuntime runs those that Debian packages of ROCr 7.2.4, each in a
// process of its own.
func TestAMDsTestsOfItsRuntime(t *testing.T) {
	s := suites[len(suites)-1]
	t.Run(s.name, s.rocrtst)
}

func (s *suite) rocrtst(t *testing.T) {
	if !chost.Long() {
		t.Skip("make test-rocm runs it")
	}
	folder := filepath.Join(s.root(t), "usr", "libexec", "rocm", "libhsa-runtime64-tests")
	program := filepath.Join(folder, "rocrtst64")
	if _, err := os.Stat(program); err != nil {
		t.Skip("unpacked without AMD's tests: make test-rocm adds them")
	}
	smi := chost.Build(t, "libamd_smi.so.26", []string{"hosts/smi.c"}, "-shared", "-fPIC", "-Wl,-soname,libamd_smi.so.26")
	run := func(t *testing.T, flag string) chost.Result {
		t.Helper()
		env := []string{"ROCRTST_KERNELS_PATH=" + folder, "MGPU_SOFT_CHIP=gfx90a", "LD_PRELOAD=" + smi}
		return s.start(t, env, program, flag)
	}
	group, tests := "", 0
	for line := range strings.Lines(run(t, "--gtest_list_tests").Stdout) {
		name := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "rocrtst") && strings.HasSuffix(name, "."):
			group = name
			continue
		case group == "" || !strings.HasPrefix(line, "  ") || strings.HasPrefix(name, "DISABLED"):
			continue
		case otherwise[group+name] != "" || atomics.MatchString(group+name):
			continue
		}
		tests++
		t.Run(name, func(t *testing.T) {
			r := run(t, "--gtest_filter="+group+name)
			require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
			require.Contains(t, r.Stdout, "[  PASSED  ] 1 test.")
		})
	}
	require.Greater(t, tests, 30)
}
