package abi

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

const printing = `
extern "C" __attribute__((device)) int printf(const char *, ...);
extern "C" __attribute__((global)) void prints(int id, int round) {
  printf("kernel %d.%d item %d\n", id, round, (int)__builtin_amdgcn_workitem_id_x());
}
`

// hipKernels compiles HIP device code with ROCm's device libraries to a folder.
func hipKernels(t *testing.T, name, code string) string {
	t.Helper()
	toolchain.Need(t, "clang-22")
	dir := t.TempDir()
	source := filepath.Join(dir, name+".hip")
	require.NoError(t, os.WriteFile(source, []byte(code), 0o600))
	out, err := exec.Command("clang-22", "-x", "hip", "--offload-arch=gfx906", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-O2",
		"-mcode-object-version=5", "--rocm-device-lib-path="+toolchain.DeviceLibraries(t), source, "-o", filepath.Join(dir, name+".hsaco")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

// The output of a kernel comes between what its thread prints before the launch and after the wait, in whole lines,
// however the host buffers.
func TestKernelsPrintInOrderWithTheirHost(t *testing.T) {
	host := linked(t, "prints.c", `-DKERNELS="`+hipKernels(t, "prints", printing)+`"`)
	for _, how := range []string{"buffered", "unbuffered"} {
		r := chost.Run(t, []string{soft}, host, how)
		clean(t, r)
		lines := strings.Split(strings.TrimSuffix(r.Stdout, "\n"), "\n")
		of := map[string][]string{}
		for _, line := range lines {
			var what string
			var id, round int
			n, _ := fmt.Sscanf(line, "%s %d.%d", &what, &id, &round)
			require.Equal(t, 3, n, "not one line: %q", line)
			of[fmt.Sprint(id)] = append(of[fmt.Sprint(id)], line)
		}
		require.Len(t, of, 4)
		for id, got := range of {
			var want []string
			for round := range 20 {
				want = append(want, fmt.Sprintf("before %s.%d", id, round))
				for item := range 64 {
					want = append(want, fmt.Sprintf("kernel %s.%d item %d", id, round, item))
				}
				want = append(want, fmt.Sprintf("after %s.%d", id, round))
			}
			require.Equal(t, want, got, how)
		}
	}
}

// The driver's free waits for the device, so the output of kernels comes before what the host prints after a free.
func TestKernelsHavePrintedWhenAFreeReturns(t *testing.T) {
	host := linked(t, "prints.c", `-DKERNELS="`+hipKernels(t, "prints", printing)+`"`)
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host, "freed")
		clean(t, r)
		require.Equal(t, 20*64, strings.Count(r.Stdout, "kernel "), cache)
		require.True(t, strings.HasSuffix(r.Stdout, "\nhost\n"), cache)
	}
}

// Writing is a cancellation point, but not inside a call.
func TestAThreadIsNotCancelledWhileItsKernelPrints(t *testing.T) {
	host := linked(t, "prints.c", `-DKERNELS="`+hipKernels(t, "prints", printing)+`"`)
	r := chost.Run(t, []string{soft}, host, "cancelled")
	clean(t, r)
	require.Equal(t, 4, strings.Count(r.Stdout, "before "))
	require.Equal(t, 4*64, strings.Count(r.Stdout, "kernel "))
	require.Equal(t, 0, strings.Count(r.Stdout, "after "))
}

func TestAHostWithoutStandardOutputGoesOn(t *testing.T) {
	host := linked(t, "prints.c", `-DKERNELS="`+hipKernels(t, "prints", printing)+`"`)
	r := chost.Run(t, []string{soft}, host, "closed")
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Empty(t, r.Stderr)
}

func TestKernelsThatPrintAreToldOf(t *testing.T) {
	host := linked(t, "prints.c", `-DKERNELS="`+hipKernels(t, "prints", printing)+`"`)
	r := chost.Run(t, []string{soft, "MGPU_STATS=1"}, host)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Contains(t, r.Stderr, "\nkernels that call the host (printf, assert or malloc): prints\n")
	require.Equal(t, 4*20*64, strings.Count(r.Stdout, "kernel "))
}
