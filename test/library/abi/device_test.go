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
)

func TestAThreadDoesNotInheritADeviceWithItsID(t *testing.T) {
	r := chost.Run(t, []string{soft, "MGPU_SOFT_DEVICES=2"}, linked(t, "devices.c"))
	if r.Stdout == "no choice of ids\n" {
		t.Skip("no right to write /proc/sys/kernel/ns_last_pid, by which a thread's id is chosen")
	}
	clean(t, r)
	require.Equal(t, "7\n", r.Stdout) // 5, plus one each for the block and the grid
}

func TestAnEndlessKernelDoesNotKeepItsProcess(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "endless.cl")
	require.NoError(t, os.WriteFile(source, []byte("kernel void endless(void) { for (;;) __builtin_amdgcn_s_sleep(0); }\nkernel void brief(void) {}\n"), 0o600))
	clang, err := exec.LookPath("clang-22")
	if err != nil {
		t.Skip("clang-22 is not installed: no code object to run")
	}
	out, err := exec.Command(clang, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx906", "-nogpulib", "-O2", "-xcl", "-cl-std=CL2.0",
		source, "-o", filepath.Join(dir, "endless.hsaco")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	host := linked(t, "endless.c", `-DKERNELS="`+dir+`"`)
	for how, end := range map[string]string{"exit": "exit 3", "return": "exit 4", "interrupted": "signal: interrupt", "handled": "exit 6"} {
		for _, grid := range [][]string{nil, {"of brief workgroups"}} {
			t.Run(strings.Join(append([]string{how}, grid...), " "), func(t *testing.T) {
				r := chost.Run(t, []string{soft}, host, append([]string{how}, grid...)...)
				require.Equal(t, end, r.End, r.Stderr)
				require.Empty(t, r.Stderr)
			})
		}
	}
	t.Run("the time of a grid of brief workgroups is over", func(t *testing.T) {
		r := chost.Run(t, []string{soft, "MGPU_SOFT_TIMEOUT=0.1"}, host, "", "of brief workgroups")
		require.Equal(t, "exit 5", r.End)
		require.Regexp(t, `^'hipModuleLaunchKernel\(brief\)' failed with 'hipErrorLaunchTimeOut': kernel brief did not end within 100ms: `+
			`of 2147483647 workgroups \d+ were over, 0 ran and \d+ had not begun\n$`, r.Stderr)
	})
	t.Run("its time is over", func(t *testing.T) {
		for _, limit := range []string{"0.1", "100ms"} {
			r := chost.Run(t, []string{soft, "MGPU_SOFT_TIMEOUT=" + limit}, host)
			require.Equal(t, "exit 5", r.End)
			lines := r.Lines()
			require.Len(t, lines, 17, r.Stderr)
			require.Equal(t, "'hipModuleLaunchKernel(endless)' failed with 'hipErrorLaunchTimeOut': kernel endless did not end within 100ms: "+
				"of 16 workgroups 0 were over, 16 ran and 0 had not begun", lines[0])
			for i, line := range lines[1:] {
				require.Regexp(t, fmt.Sprintf(`^  workgroup \(%d,0,0\) wave 0 at endless\+0x\w+: \x60s_\w+ .*\x60$`, i), line)
			}
		}
	})
	t.Run("the signal is only noted", func(t *testing.T) {
		r := chost.Run(t, []string{soft, "MGPU_SOFT_TIMEOUT=1s"}, host, "noted")
		require.Equal(t, "exit 8", r.End)
		require.Len(t, r.Lines(), 17, r.Stderr)
	})
	t.Run("its time is nonsense", func(t *testing.T) {
		for _, limit := range []string{"soon", "-1", "1e300"} {
			r := chost.Run(t, []string{soft, "MGPU_SOFT_TIMEOUT=" + limit}, host)
			require.Contains(t, r.Lines()[0], "'mgpuModuleLoad' failed with 'MGPU_SOFT_TIMEOUT="+limit+": expected a number of seconds (90) or a time (1m30s)'")
		}
	})
}

// The failure of a stream that was given back is printed once, and not by a synchronize of another stream.
func TestNobodyIsBlamedForAnothersKernel(t *testing.T) {
	host := linked(t, "owners.c")
	for _, cache := range []string{"on", "off"} {
		all := outcomes(t, chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host))
		require.Len(t, all, 9)
		for i := 0; i < len(all); i += 3 {
			before, others, device := all[i], all[i+1], all[i+2]
			require.Equal(t, "another synchronized", others.name)
			require.Zero(t, others.lines, others.text)
			require.Equal(t, 1, before.lines+device.lines, before.text+device.text)
			require.Contains(t, before.text+device.text, "'hipModuleLaunchKernel(sizes)' failed with 'hipErrorIllegalAddress'")
		}
	}
}

// Lowered asynchronous regions wait for one stream, whose work waits for other streams. Failures there are printed
// once: by the next wait, or at the end of the process.
func TestAFailureOfAStreamThatNobodyWaitsForIsPrintedOnce(t *testing.T) {
	host := linked(t, "unasked.c")
	for _, how := range []string{"event", "event of the other", "stream as event", "copy after it", "null stream", "free", "twice", "destroyed", "nothing"} {
		for _, cache := range []string{"on", "off"} {
			if how == "stream as event" && cache == "off" {
				continue // like stock: it is not an event
			}
			t.Run(how+" with cache "+cache, func(t *testing.T) {
				r := chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host, how)
				require.Equal(t, "exit 0", r.End, r.Stderr)
				require.Len(t, r.Lines(), 1, r.Stderr)
				require.Contains(t, r.Stderr, "'hipModuleLaunchKernel(sizes)' failed with 'hipErrorIllegalAddress'")
			})
		}
	}
	r := chost.Run(t, []string{soft, "MGPU_ON_ERROR=abort"}, host, "event")
	require.Equal(t, "signal: aborted", r.End)
	require.Len(t, r.Lines(), 1, r.Stderr)
	require.Empty(t, r.Stdout, "the wait for the other stream tells it")
}
