package rocm

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
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
	toolchain.Need(t, "timeout")
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		for _, kernel := range []string{"endless", "brief"} {
			env, command := s.command(t, []string{"MODULE=" + s.kernels(t, "gfx906")}, s.program(t, "fault"), kernel)
			// 124: the interrupt ended it, 137: it took a kill.
			r := chost.Run(t, env, "/usr/bin/timeout", append([]string{"--signal=INT", "--kill-after=60", "2"}, command...)...)
			require.Equal(t, "exit 124", r.End, r.Stderr)
			require.NotContains(t, r.Stdout, "went on", "the kernel had not ended")
		}
	})
}

func TestManyProcessesRunAtOnce(t *testing.T) {
	processes := 4
	if chost.Long() {
		processes = 64
	}
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		env, command := s.command(t, []string{"MODULE=" + s.kernels(t, "gfx906")}, s.program(t, "add"))
		ended := make(chan chost.Result)
		for range processes {
			go func() { ended <- chost.Run(t, env, command[0], command[1:]...) }()
		}
		for range processes {
			r := <-ended
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Equal(t, "ok\n", r.Stdout)
		}
	})
}

// An array that the host has freed and not unregistered is no memory of the GPU's.
func TestRegisteredMemoryThatTheHostUnmappedFaults(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.run(t, "gfx906", "unmapped", nil)
		s.ends(t, r, "hipErrorIllegalAddress")
		require.Regexp(t, `(?m)^mgpu: queue \d+ of node 1: kernel increment: read from an address that is not mapped, `, r.Stderr)
	})
}

func TestCodeObjectsThatAReleaseDoesNotKnowAreRefused(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		s.root(t)
		image, err := os.ReadFile(bookworm.kernels(t, "gfx906"))
		require.NoError(t, err)
		image[elf.EI_ABIVERSION] = 1
		refused, failure, says := filepath.Join(t.TempDir(), "v3"), "hipErrorNoBinaryForGpu", "code object version 3 "
		require.NoError(t, os.WriteFile(refused, image, 0o600))
		if !s.goesOn { // HIP 5 loads version 3
			newer := suite{version: string(s.version[0] + 1)}
			refused, failure = newer.kernels(t, "gfx906"), "hipErrorSharedObjectInitFailed"
			says = "the code object has version " + newer.version
		}
		r := s.start(t, []string{"MODULE=" + refused}, s.program(t, "add"))
		require.Equal(t, "exit 1", r.End, r.Stderr)
		require.Contains(t, r.Stdout, ": "+failure+"\n")
		r = s.overMGPU(t, "hosts/wrong.c", []string{"MODULE=" + refused}, "increment")
		require.Contains(t, r.Stderr, "'hipModuleLoadData' failed with '"+failure+"': "+says)
	})
}

// newer is a copy of a program of the machine's HIP whose code objects say that their version
// is the next one.
func newer(t *testing.T, program string) string {
	t.Helper()
	b, err := os.ReadFile(program)
	require.NoError(t, err)
	header := []byte("\x7fELF\x02\x01\x01@") // class, order of bytes, ELF's version, AMD HSA; the next is the version less 2
	loads := machine.version[0] - '0'
	known, next := append(header[:len(header):len(header)], loads-2), append(header[:len(header):len(header)], loads-1)
	require.True(t, bytes.Contains(b, known))
	path := filepath.Join(t.TempDir(), "newer")
	require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(b, known, next), 0o700))
	return path
}

// HIP 5.2 ends a program whose code it can't load with little to say, 5.7 fails it, and HIP 7
// crashes.
func TestTheCommandSaysWhyHIPWillNotLoadAProgramsCode(t *testing.T) {
	command := filepath.Join(thunk(t), "..", "mgpu")
	if _, err := os.Stat(command); err != nil {
		t.Skipf("the command is not built: %v", err)
	}
	needHIP(t)
	r := chost.Run(t, nil, command, "run", "--rocm", "--chip", "gfx90a", machine.plain(t, "gfx906"), "reduction")
	require.Equal(t, map[*suite]string{bookworm: "signal: aborted", trixie: "exit 1"}[machine], r.End, r.Stderr)
	require.Contains(t, r.Stderr, " has code for gfx906 and none for gfx90a: mgpu run --rocm --chip gfx906\n")
	r = chost.Run(t, nil, command, "run", "--rocm", newer(t, machine.plain(t, "gfx906")), "reduction")
	require.Equal(t, "exit 1", r.End, r.Stderr)
	require.Regexp(t, ` has code objects of version \d, and HIP 5.\d loads versions up to (\d): compile with -mcode-object-version=`+machine.version+`\n`, r.Stderr)
}
