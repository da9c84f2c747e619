package command_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// SIGQUIT and SIGABRT write a core file otherwise, and nohup and jobs of scripts ignore signals.
const noCore = "ulimit -c 0; exec env --default-signal "

// running is a process whose standard output is a pipe that takes one page.
type running struct {
	*exec.Cmd
	t      *testing.T
	stdout *os.File
	stderr bytes.Buffer
}

// start runs a shell's line. $0 is the command, $1 a code object.
func start(t *testing.T, line string) *running {
	t.Helper()
	object := filepath.Join(chost.Root(), "internal/codeobj/testdata/v5.hsaco")
	r := &running{Cmd: exec.Command("sh", "-c", line, chost.Command(t), object), t: t}
	read, write, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = read.Close() })
	_, _, failed := syscall.Syscall(syscall.SYS_FCNTL, write.Fd(), syscall.F_SETPIPE_SZ, uintptr(os.Getpagesize()))
	require.Zero(t, failed)
	r.stdout, r.Stdout, r.Stderr, r.Env = read, write, &r.stderr, append(os.Environ(), "MGPU_DRIVER=soft")
	require.NoError(t, r.Start())
	require.NoError(t, write.Close())
	slow := time.AfterFunc(time.Minute, func() { _ = r.Process.Kill() })
	t.Cleanup(func() { slow.Stop() })
	return r
}

// writes waits for the first byte.
func (r *running) writes() *running {
	_, err := r.stdout.Read(make([]byte, 1))
	require.NoError(r.t, err)
	return r
}

// computes waits until the process has used half a second of processor time, as only a kernel does.
func (r *running) computes() *running {
	require.Eventually(r.t, func() bool {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(r.Process.Pid) + "/stat")
		require.NoError(r.t, err)
		_, numbers, _ := strings.Cut(string(stat), ") ")
		ticks, err := strconv.Atoi(strings.Fields(numbers)[11]) // in user mode, 100 a second
		return err == nil && ticks >= 50
	}, time.Minute, 10*time.Millisecond)
	return r
}

// ended waits for the end, and returns the signal that caused it.
func (r *running) ended() syscall.Signal {
	_ = r.Wait()
	assert.Empty(r.t, r.stderr.String())
	return r.ProcessState.Sys().(syscall.WaitStatus).Signal()
}

const launch = `"$0" launch "$1" saxpy --block=64 --grid=64 --shared=4 --arg=tmp:f32[5] --arg=tmp:f32[5] --arg=f32:2 --arg=i32:5 --arg=u32:0 --repeat=1000000000`

func TestSignalsEndTheCommandAsTheyEndACProgram(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGALRM} {
		for _, line := range []string{`"$0" completion bash`, `"$0" inspect -d "$1"`} {
			r := start(t, noCore+line).writes()
			require.NoError(t, r.Process.Signal(s))
			assert.Equal(t, s, r.ended(), "%v: %s", s, line)
		}
	}
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		r := start(t, noCore+launch).computes()
		require.NoError(t, r.Process.Signal(s))
		assert.Equal(t, s, r.ended(), "%v: %s", s, launch)
	}
}

func TestAReaderThatHasReadEnoughEndsTheCommand(t *testing.T) {
	r := start(t, noCore+`"$0" inspect -d "$1"`).writes()
	require.NoError(t, r.stdout.Close())
	assert.Equal(t, syscall.SIGPIPE, r.ended())
}

// As after nohup and in background jobs of scripts.
func TestIgnoredSignalsStayIgnoredInTheProgram(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "t.json")
	for _, names := range []string{"HUP", "INT QUIT", "TERM USR1 PIPE XFSZ", "WINCH IO"} {
		const program = ` sh -c 'grep SigIgn /proc/self/status'`
		ignored := func(run string) string {
			out, err := exec.Command("sh", "-c", "trap '' "+names+"; "+run+program, chost.Command(t), trace).Output()
			require.NoError(t, err)
			return string(out)
		}
		want := ignored("")
		assert.Regexp(t, `^SigIgn:\s[0-9a-f]*[1-9a-f][0-9a-f]*\n$`, want)
		assert.Equal(t, want, ignored(`"$0" run`), names)
		assert.Equal(t, want, ignored(`"$0" run --trace="$1"`), names)
	}
}

func TestSIGCHLDStaysIgnoredInTheProgram(t *testing.T) {
	ignored := func(run ...string) string {
		line := append(append([]string{"--ignore-signal=CHLD"}, run...), "grep", "SigIgn", "/proc/self/status")
		out, err := exec.Command("env", line...).Output()
		require.NoError(t, err)
		return string(out)
	}
	want := ignored()
	assert.Regexp(t, `^SigIgn:\s[0-9a-f]+1[0-9a-f]{4}\n$`, want)
	assert.Equal(t, want, ignored(chost.Command(t), "run"))
}

func TestSignalsReachAProgramThatIsRecorded(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "t.json")
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGUSR1, syscall.SIGALRM, syscall.SIGTERM} {
		r := start(t, noCore+`"$0" run --trace=`+trace+` sh -c 'echo; exec sleep 60'`).writes()
		require.NoError(t, r.Process.Signal(s))
		_ = r.Wait()
		assert.Equal(t, 128+int(s), r.ProcessState.ExitCode(), "%v", s)
		assert.Regexp(t, `^mgpu: --trace: process \d+ left no records: [^\n]*\n$`, r.stderr.String())
	}
}
