package vendors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/fakehip"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// opened loads the library by a name and opens a driver. It returns the only line on stderr, which exists whenever no
// device is found.
func opened(t *testing.T, name string, env ...string) (stdout, line string) {
	t.Helper()
	library := chost.Library(t)
	if name != "" {
		link := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.Symlink(library, link))
		library = link
	}
	host := chost.Build(t, "open", []string{"hosts/open.c"}, "-ldl")
	r := chost.Run(t, env, host, library)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	lines := r.Lines()
	require.Len(t, lines, 1, r.Stderr)
	return r.Stdout, lines[0]
}

// withoutGPU skips the test if the machine has a GPU, since the expected lines are printed only without one.
func withoutGPU(t *testing.T) {
	for _, device := range []string{"/dev/kfd", "/dev/nvidiactl"} {
		if _, err := os.Stat(device); err == nil {
			t.Skipf("this machine has %s", device)
		}
	}
}

func TestWithoutAGPUTheFallbackSaysWhy(t *testing.T) {
	withoutGPU(t)
	stdout, line := opened(t, "")
	require.Equal(t, "a stream\n", stdout)
	require.True(t, strings.HasPrefix(line, "mgpu: no GPU found (hip: no /dev/kfd: "), line)
	require.Contains(t, line, "; cuda: tried libcuda.so.1 (")
	require.Contains(t, line, "; running on ")
}

func TestARealHIPLibraryWithoutADeviceIsOpenedAndSaysSo(t *testing.T) {
	withoutGPU(t)
	const debians = "/usr/lib/x86_64-linux-gnu/libamdhip64.so.5"
	if _, err := os.Stat(debians); err != nil {
		t.Skipf("%s is not installed", debians)
	}
	const says = "libamdhip64.so.5 ('hipGetDeviceCount' failed with 'hipErrorNoDevice': no /dev/kfd"
	stdout, line := opened(t, "", "MGPU_DRIVER=hip")
	require.Equal(t, "no stream\n", stdout)
	require.Contains(t, line, "'mgpuStreamCreate' failed with 'MGPU_DRIVER=hip: tried libamdhip64.so.7")
	require.Contains(t, line, says)
}

func TestTheNameThatItWasLoadedByDecidesWhichVendorComesFirst(t *testing.T) {
	withoutGPU(t)
	for name, first := range map[string]string{
		"libmlir_rocm_runtime.so.22.1": "hip", "libmlir_rocm_runtime.so": "hip", "anything.so": "hip",
		"libmlir_cuda_runtime.so.22.1": "cuda", "libmlir_cuda_runtime.so": "cuda",
	} {
		_, line := opened(t, name)
		require.True(t, strings.HasPrefix(line, "mgpu: no GPU found ("+first+": "), "%s: %s", name, line)
		require.Contains(t, line, "hip: ")
		require.Contains(t, line, "cuda: ")
	}
}

func TestAForcedDriverThatCantOpenSaysWhatWasTried(t *testing.T) {
	withoutGPU(t)
	text := filepath.Join(t.TempDir(), "notes.so")
	require.NoError(t, os.WriteFile(text, []byte("this is not a library, whatever its name says"), 0o600))
	for _, c := range []struct{ env, library, says string }{
		{"MGPU_DRIVER=cuda", "", "tried libcuda.so.1 (cannot open shared object file: No such file or directory)"},
		{"MGPU_DRIVER=cuda", "MGPU_CUDA_LIBRARY=/nowhere/libcuda.so",
			"tried /nowhere/libcuda.so, libcuda.so.1 (cannot open shared object file: No such file or directory)"},
		{"MGPU_DRIVER=cuda", "MGPU_CUDA_LIBRARY=libm.so.6", "tried libm.so.6 (not a CUDA driver: it has no cuInit, no "},
		{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=/nowhere/libhip.so", "tried /nowhere/libhip.so, libamdhip64.so.7"},
		{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=libm.so.6", "tried libm.so.6 (not a HIP library: it has no hipGetErrorName, no "},
		{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + text, "tried " + text + " ("},
		{"MGPU_DRIVER=vulkan", "", "expected hip, cuda, soft or null"},
	} {
		env := []string{c.env}
		if c.library != "" {
			env = append(env, c.library)
		}
		stdout, line := opened(t, "", env...)
		require.Equal(t, "no stream\n", stdout, "%q", env)
		require.True(t, strings.HasPrefix(line, "'mgpuStreamCreate' failed with '"+c.env+": "), line)
		require.Contains(t, line, c.says)
	}
}

// waited runs the host that waits, and returns its stderr.
func waited(t *testing.T, env ...string) []string {
	t.Helper()
	host := chost.Build(t, "wait", []string{"hosts/wait.c"}, "-ldl")
	r := chost.Run(t, env, host, chost.Library(t))
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Equal(t, "waited\n", r.Stdout)
	return r.Lines()
}

func TestAFailingWaitInCNamesHIPsCallAndError(t *testing.T) {
	library := "MGPU_HIP_LIBRARY=" + fakehip.Library(t)
	require.Empty(t, waited(t, "MGPU_DRIVER=hip", library, "FAKEHIP_IGNORE=leak"))
	require.Equal(t, []string{
		"'hipEventSynchronize' failed with 'hipErrorLaunchFailure'",
		"'hipStreamSynchronize' failed with 'hipErrorIllegalAddress'",
	}, waited(t, "MGPU_DRIVER=hip", library, "FAKEHIP_IGNORE=leak",
		"FAKEHIP_FAIL=hipEventSynchronize:1:hipErrorLaunchFailure,hipStreamSynchronize:2:hipErrorIllegalAddress"))
}

func TestAFailingWaitInCNamesCUDAsCallAndError(t *testing.T) {
	stub := chost.Build(t, "libstub.so", []string{"../../../internal/cuda/testdata/stub.c"}, "-shared", "-fPIC", "-w", "-DSYNCHRONIZE=719")
	const event = "'cuEventSynchronize' failed with 'CUDA_ERROR_LAUNCH_FAILED': what it means"
	const stream = "'cuStreamSynchronize' failed with 'CUDA_ERROR_LAUNCH_FAILED': what it means"
	require.Equal(t, []string{event, stream, stream, event, stream, stream}, waited(t, "MGPU_DRIVER=cuda", "MGPU_CUDA_LIBRARY="+stub))
}
