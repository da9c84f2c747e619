package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func files(t *testing.T) string {
	t.Helper()
	return chost.Build(t, "files", []string{"hosts/files.c"}, append(chost.Linked(chost.Library(t)), "-pthread")...)
}

// written are the settings that name files, with the beginnings of lines about them.
var written = map[string]string{"MGPU_STATS": "mgpu: MGPU_STATS=", "MGPU_REPORT": "mgpu: MGPU_REPORT=", "MGPU_TRACE": "mgpu: trace: "}

// about returns the lines of a run about a setting's file.
func about(r chost.Result, setting string) (lines []string) {
	for _, line := range r.Lines() {
		if strings.HasPrefix(line, written[setting]) {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestWhatIsNoFileIsRefusedWithALine(t *testing.T) {
	host := files(t)
	for place, c := range map[string]struct {
		make func(name string) error
		why  string
	}{
		"pipe":      {func(name string) error { return syscall.Mkfifo(name, 0o666) }, "it is a pipe, not a file"},
		"link":      {func(name string) error { return os.Symlink("victim", name) }, "it is a symbolic link"},
		"directory": {func(name string) error { return os.Mkdir(name, 0o777) }, "is a directory"},
	} {
		for setting := range written {
			t.Run(setting+"/"+place, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				name := filepath.Join(dir, "file")
				require.NoError(t, os.WriteFile(filepath.Join(dir, "victim"), []byte("precious"), 0o666))
				require.NoError(t, c.make(name))
				r := chost.Run(t, []string{soft, setting + "=" + name}, host, "work")
				require.Equal(t, "exit 0", r.End, r.Stderr)
				require.Equal(t, "end\n", r.Stdout)
				lines := about(r, setting)
				require.Len(t, lines, 1, r.Stderr)
				if setting != "MGPU_TRACE" {
					require.Contains(t, lines[0], c.why)
				}
				text, err := os.ReadFile(filepath.Join(dir, "victim"))
				require.NoError(t, err)
				require.Equal(t, "precious", string(text))
			})
		}
		t.Run("snapshot/"+place, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "file")
			require.NoError(t, c.make(name))
			r := chost.Run(t, []string{soft}, host, "work", name)
			require.Equal(t, "-1\nend\n", r.Stdout)
			require.Contains(t, r.Stderr, "'mgpuxMemorySnapshot' failed with")
			require.Contains(t, r.Stderr, c.why)
		})
	}
}

func TestAPipeWithAReaderIsNoFileEither(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(name, 0o666))
	reader, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer syscall.Close(reader)
	r := chost.Run(t, []string{soft, "MGPU_STATS=" + name}, files(t), "work")
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Contains(t, r.Stderr, "it is a pipe, not a file")
}

func TestTheLimitOfAFilesSizeIsNoSignal(t *testing.T) {
	host := files(t)
	for setting := range written {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			r := chost.Run(t, []string{soft, setting + "=" + filepath.Join(t.TempDir(), "file")}, "sh", "-c", "ulimit -f 0; exec \"$@\"", "sh", host, "work")
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Equal(t, "end\n", r.Stdout)
			require.Len(t, about(r, setting), 1, r.Stderr)
			require.Contains(t, about(r, setting)[0], "file too large")
		})
	}
	r := chost.Run(t, []string{soft}, "sh", "-c", "ulimit -f 0; exec \"$@\"", "sh", host, "work", filepath.Join(t.TempDir(), "file"))
	require.Equal(t, "-1\nend\n", r.Stdout)
	require.Contains(t, r.Stderr, "file too large")
}

func TestAFullDeviceIsToldOnce(t *testing.T) {
	host := files(t)
	for _, setting := range []string{"MGPU_STATS", "MGPU_REPORT"} {
		r := chost.Run(t, []string{soft, setting + "=/dev/full"}, host, "work")
		require.Equal(t, "exit 0", r.End)
		require.Len(t, about(r, setting), 1)
		require.Contains(t, about(r, setting)[0], "no space left on device")
	}
	r := chost.Run(t, []string{soft}, host, "work", "/dev/null")
	require.Equal(t, "0\nend\n", r.Stdout, r.Stderr)
	info, err := os.Stat("/dev/null")
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeCharDevice)
}

// Repeated recordings must not keep addresses, pages and blocks of the file.
func TestTimelinesThatEndLeaveNothingBehind(t *testing.T) {
	dir := t.TempDir()
	r := chost.Run(t, []string{soft}, files(t), "turns", dir)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	var more, resident int
	_, err := fmt.Sscanf(r.Stdout, "%d MB more, %d resident\nend\n", &more, &resident)
	require.NoError(t, err)
	require.Less(t, more, 512, "twenty turns of 256 MiB")
	require.Less(t, resident, 15, "twenty turns, each of which makes some megabytes of garbage")
	for i := range 24 {
		readRecords(t, filepath.Join(dir, strconv.Itoa(i)+".json"))
	}
}
