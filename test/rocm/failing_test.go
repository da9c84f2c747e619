package rocm

import (
	"bytes"
	"debug/elf"
	"fmt"
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

// AMD's library itself refuses to be used by a child of fork, and HIP then says that memory has run out.
func TestChildrenOfForkMayOnlyExec(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.run(t, "gfx906", "forked", nil, "calls")
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.Contains(t, r.Stdout, "child: hipErrorOutOfMemory\n")
		require.Contains(t, r.Stdout, "ok\n")
		r = s.run(t, "gfx906", "forked", nil)
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.NotContains(t, r.Stderr, "may only exec", "a child that calls nothing")
	})
}

func TestChildrenOfForkHaveGPUsWhereTheParentHasOnlyLooked(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) { s.succeeds(t, "gfx906", "looked") })
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

func TestAKernelWithoutEndIsEndedWhenItsTimeIsOver(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		for kernel, waves := range map[string]string{"endless": "  workgroup \\(0,0,0\\) wave 0 at endless\\+0x", "brief": ""} {
			r := s.run(t, "gfx906", "fault", []string{"MGPU_SOFT_TIMEOUT=0.3"}, kernel)
			s.ends(t, r, "hipErrorLaunchFailure")
			require.Regexp(t, `(?m)^mgpu: queue \d+ of node 1: kernel `+kernel+` did not end within 300ms: of \d+ workgroups .*\n`+waves, r.Stderr)
		}
	})
}

func TestFindingsAndFailuresAreReportedAndSetTheExitStatus(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		file := filepath.Join(t.TempDir(), "%r.json")
		report := func(text string) {
			t.Helper()
			name := filepath.Join(filepath.Dir(file), "0.json")
			lines, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Regexp(t, text, string(lines))
			require.NoError(t, os.Remove(name))
		}
		r := s.checked(t, "race", "race", "MGPU_ON_ERROR=exit:7", "MGPU_REPORT="+file)
		require.Equal(t, "exit 7", r.End, r.Stderr)
		require.Equal(t, "went on: hipSuccess\n", r.Stdout)
		require.Contains(t, r.Stderr, "\nmgpu check: race: 1 launch: race in 1 place")
		report(`^\{"check":"race","file":"[^"]+kernels\.cl","kernel":"collide","kind":"check","line":\d+,"process":\d+,"rank":0,"text":"mgpu check: race: write of 4 bytes [^"]+"\}\n$`)
		require.Equal(t, "exit 0", s.checked(t, "race", "race").End, "nothing is asked for")
		require.Equal(t, "exit 0", s.checked(t, "race", "well", "MGPU_ON_ERROR=exit:7").End, "nothing is wrong")
		require.Equal(t, "signal: aborted", s.checked(t, "race", "race", "MGPU_ON_ERROR=abort").End)

		r = s.run(t, "gfx906", "fault", []string{"MGPU_ON_ERROR=exit:7", "MGPU_REPORT=" + file}, "trap")
		require.Equal(t, map[bool]string{true: "exit 7", false: "signal: aborted"}[s.goesOn], r.End, r.Stderr)
		report(`^\{"error":"launch failure","kernel":"[^"]+","kind":"error","process":\d+,"rank":0,"text":"mgpu: queue \d+ of node 1: kernel trap: [^"]+"\}\n$`)
		require.Equal(t, "signal: aborted", s.run(t, "gfx906", "fault", []string{"MGPU_ON_ERROR=abort"}, "trap").End)
	})
}

// What only the runtime library does is refused by the command, and by the driver where the program runs without it.
func TestSettingsThatNothingObeysAreRefused(t *testing.T) {
	const why = ": obeyed in programs that call mgpu, and this one calls HIP alone\n"
	everywhere(t, func(t *testing.T, s *suite) {
		for _, setting := range []string{"MGPU_TRACE=t.json", "MGPU_DEVICE=1", "MGPU_CACHE=off"} {
			r := s.run(t, "gfx906", "add", []string{setting})
			require.NotEqual(t, "exit 0", r.End, setting)
			require.Contains(t, r.Stderr, "mgpu: no software GPU for ROCm: "+setting+why)
		}
		r := s.run(t, "gfx906", "add", []string{"MGPU_CAHCE=off", "MGPU_STATS=off"})
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Contains(t, r.Stderr, "mgpu: unknown setting MGPU_CAHCE: did you mean MGPU_CACHE?\n")
	})
	command := commandOf(t)
	add := machine.program(t, "add")
	for _, args := range [][]string{{"--trace"}, {"-e", "MGPU_TRACE=t.json", "-e", "MGPU_MEM_FILL=poison"}, {"--check=all,speed"}} {
		r := chost.Run(t, nil, command, append(append([]string{"run", "--rocm"}, args...), add)...)
		require.Equal(t, "exit 2", r.End, r.Stderr)
	}
	r := chost.Run(t, []string{"MGPU_TRACE=t.json", "MGPU_DEVICE=1"}, command, "run", "--rocm", add)
	require.Equal(t, "exit 2", r.End, r.Stderr)
	require.Equal(t, "mgpu: MGPU_DEVICE=1, MGPU_TRACE=t.json"+why, r.Stderr)
	r = chost.Run(t, []string{"MODULE=" + machine.kernels(t, "gfx906")}, command, "run", "--rocm", "--error-exitcode=9", "--check=race", machine.program(t, "check"), "race")
	require.Equal(t, "exit 9", r.End, r.Stderr)
}

// A program that calls HIP alone has rows for its kernels, and one that calls mgpu has the runtime library's statistics.
func TestStatisticsOfHIPProgramsListTheirKernels(t *testing.T) {
	const table = `(?m)^mgpu statistics: HIP on the software GPU, device gfx906\n +kernel +launches +grid x block +time on device +us each +share\n` +
		`(?:.*\n)* +add +1 +16,1,1 x 64,1,1 +[0-9.]+ ms +[0-9.]+ +[0-9.]+ %\n(?:.*\n)*memory of device 0: `
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.run(t, "gfx906", "add", []string{"MGPU_STATS=1"})
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.Regexp(t, table, r.Stderr)
		file := filepath.Join(t.TempDir(), "%r.json")
		r = s.run(t, "gfx906", "add", []string{"MGPU_STATS=" + file, "MGPU_PROFILE=counts"})
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.NotContains(t, r.Stderr, "mgpu statistics")
		line, err := os.ReadFile(filepath.Join(filepath.Dir(file), "0.json"))
		require.NoError(t, err)
		require.Regexp(t, `^\{"process":\d+,"rank":0,"driver":"rocm","device":"gfx906","kernels":\[.*\{"name":"add","launches":1,.*"profile":\[\{.*\}\]\}\n$`, string(line))
	})
	command := commandOf(t)
	r := chost.Run(t, []string{"MODULE=" + machine.kernels(t, "gfx906")}, command, "run", "--rocm", "--stats", machine.program(t, "add"))
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Regexp(t, table, r.Stderr)
}

func TestWhereStatisticsGoIsReadOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, s *suite) {
		r := s.run(t, "gfx906", "changed", []string{"MGPU_STATS=1"}, chost.Library(t))
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.Regexp(t, `^mgpu statistics: HIP on the software GPU, device gfx906\n`, r.Stderr)
		require.NotContains(t, r.Stderr, "MGPU_STATS")
	})
}

// The command prepares the programs of ctest, and those with findings fail.
func TestProgramsOfCTestRunOnTheSoftwareGPU(t *testing.T) {
	toolchain.Need(t, "cmake", "ctest")
	command, dir := commandOf(t), t.TempDir()
	text := "cmake_minimum_required(VERSION 3.13)\nproject(tests NONE)\nenable_testing()\n" +
		fmt.Sprintf("add_test(NAME right COMMAND %s well)\nadd_test(NAME wrong COMMAND %[1]s race)\n", machine.program(t, "check"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "CMakeLists.txt"), []byte(text), 0o600))
	_, err := toolchain.Run(nil, nil, "cmake", "-S", dir, "-B", dir)
	require.NoError(t, err)
	r := chost.Run(t, []string{"MODULE=" + machine.kernels(t, "gfx906")}, command, "run", "--rocm", "--check=memory,race", "--error-exitcode=1",
		"ctest", "--test-dir", dir, "--output-on-failure")
	require.Equal(t, "exit 8", r.End, "ctest's, where a test has failed: "+r.Stderr)
	require.Regexp(t, `#1: right \.+ +Passed`, r.Stdout)
	require.Regexp(t, `#2: wrong \.+\*\*\*Failed`, r.Stdout)
	require.Contains(t, r.Stdout, "mgpu check: race: write of 4 bytes ")
}

// The loader splits LD_LIBRARY_PATH and LD_PRELOAD at colons.
func TestTheDriverComesFromAnyFolder(t *testing.T) {
	command, folder := commandOf(t), filepath.Join(t.TempDir(), "a: b")
	require.NoError(t, os.Symlink(libraries(t), folder))
	env := []string{"MODULE=" + machine.kernels(t, "gfx906")}
	r := chost.Run(t, env, command, "run", "--rocm", "--check=memory", "--library", filepath.Join(folder, "libmgpu_kfd.so"), machine.program(t, "check"), "beyond")
	require.Contains(t, r.Stderr, "allocated by hipMalloc at ", "both libraries are there")
}

// commandOf is the command that was built beside the driver.
func commandOf(t *testing.T) string {
	t.Helper()
	command := filepath.Join(libraries(t), "..", "mgpu")
	if _, err := os.Stat(command); err != nil {
		t.Skipf("the command is not built: %v", err)
	}
	needHIP(t)
	return command
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

// An array that the host has freed and not unregistered does not belong to the GPU.
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
		if s.version < "6" { // HIP 5 loads version 3
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
	command := commandOf(t)
	r := chost.Run(t, nil, command, "run", "--rocm", "--chip", "gfx90a", machine.plain(t, "gfx906"), "reduction")
	require.Equal(t, map[*suite]string{bookworm: "signal: aborted", trixie: "exit 1"}[machine], r.End, r.Stderr)
	require.Contains(t, r.Stderr, " has code for gfx906 and none for gfx90a: mgpu run --rocm --chip gfx906\n")
	r = chost.Run(t, nil, command, "run", "--rocm", newer(t, machine.plain(t, "gfx906")), "reduction")
	require.Equal(t, "exit 1", r.End, r.Stderr)
	require.Regexp(t, ` has code objects of version \d, and HIP 5.\d loads versions up to (\d): compile with -mcode-object-version=`+machine.version+`\n`, r.Stderr)
}

// HIP 5.2.3 ends a program in a segmentation fault when it launches a kernel of LLVM 22's that prints.
func TestKernelsThatHIPCrashesOnAreNamedBeforeTheProgramStarts(t *testing.T) {
	command := commandOf(t)
	program := machine.plain(t, "gfx906")
	const says = " has kernels that HIP 5.2 crashes on when it launches them ("
	r := chost.Run(t, nil, command, "run", "--rocm", program, "printf")
	doctor := chost.Run(t, nil, command, "doctor", program)
	inspect := chost.Run(t, nil, command, "inspect", program)
	if machine != bookworm {
		require.Equal(t, "exit 0", r.End, r.Stderr)
		require.NotContains(t, r.Stderr+doctor.Stdout, says)
		return
	}
	require.Equal(t, "signal: segmentation fault", r.End)
	require.Contains(t, r.Stderr, "mgpu: "+program+says)
	require.Equal(t, "exit 1", doctor.End)
	require.Contains(t, doctor.Stdout, "\n  ! "+program+says)
	require.Regexp(t, `\nHIP 5.2 crashes when it launches .*\w+: they have hidden_completion_action, `, inspect.Stdout)

	w := machine.overMGPU(t, "hosts/wrong.c", []string{"MODULE=" + machine.kernels(t, "gfx906", "-O0")}, "increment")
	require.Equal(t, "exit 0", w.End, w.Stderr)
	require.Contains(t, w.Stderr, "'hipModuleGetFunction(increment)' failed with 'hipErrorNotSupported': HIP 5.2 crashes when it launches such kernels: ")
}
