package rocm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// wrong runs hosts/wrong.c on mgpu.
func (s *suite) wrong(t *testing.T, what string, env ...string) chost.Result {
	t.Helper()
	s.root(t)
	return s.overMGPU(t, "hosts/wrong.c", append(env, "MODULE="+s.kernels(t, "gfx906")), what)
}

func TestMemoryThatRunsOutIsALineAndComesBack(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.wrong(t, "memory", "MGPU_SOFT_MEMORY=256MiB")
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Regexp(t, `(?m)^1\d blocks\nagain: 1$`, r.Stdout)
		require.Regexp(t, `(?m)^'hipMalloc' failed with 'hipErrorOutOfMemory': 16777216 bytes wanted, \d+ in use`, r.Stderr)
	})
}

// HIP 5 ends a process whose kernel fails; with HIP 7 the wait says so.
func TestKernelsOfMGPUThatFailAreReported(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		for kernel, name := range map[string]string{"wild": "hipErrorIllegalAddress", "trap": "hipErrorLaunchFailure"} {
			r := s.wrong(t, kernel)
			require.Regexp(t, `(?m)^mgpu: queue \d+ of node 1: kernel `+kernel+`: `, r.Stderr)
			if !s.goesOn {
				require.Equal(t, "signal: aborted", r.End, r.Stderr)
				continue
			}
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Contains(t, r.Stderr, "'hipStreamSynchronize' failed with '"+name+"'")
			require.Contains(t, r.Stdout, "went on\n")
		}
	})
}

func TestChildrenOfForkAreToldThatTheyMayOnlyExec(t *testing.T) {
	const told = "'hsaKmtAllocMemory' failed with 'process forked after the GPU runtime had started; the child may only exec'\n"
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.run(t, "gfx906", "forked", nil, "calls")
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.Contains(t, r.Stderr, told)
		require.Contains(t, r.Stdout, "child: hipErrorOutOfMemory\n")
		require.Contains(t, r.Stdout, "ok\n")
		r = s.run(t, "gfx906", "forked", nil)
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.NotContains(t, r.Stderr, "failed with", "a child that calls nothing")
	})
}

func TestCtrlCEndsAKernelWithoutEnd(t *testing.T) {
	needHIP(t)
	toolchain.Need(t, "timeout")
	env := []string{"LD_LIBRARY_PATH=" + thunk(t), "MODULE=" + machine.kernels(t, "gfx906")}
	// 124: the interrupt ended it, 137: it took a kill.
	r := chost.Run(t, env, "/usr/bin/timeout", "--signal=INT", "--kill-after=60", "3", machine.program(t, "fault"), "endless")
	require.Equal(t, "exit 124", r.End, r.Stderr)
	require.Empty(t, r.Stdout, "the kernel had not ended")
}

func TestManyProcessesRunAtOnce(t *testing.T) {
	needHIP(t)
	processes := 8
	if chost.Long() {
		processes = 64
	}
	env := []string{"LD_LIBRARY_PATH=" + thunk(t), "MODULE=" + machine.kernels(t, "gfx906")}
	program := machine.program(t, "add")
	ended := make(chan chost.Result)
	for range processes {
		go func() { ended <- chost.Run(t, env, program) }()
	}
	for range processes {
		r := <-ended
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Equal(t, "ok\n", r.Stdout)
	}
}
