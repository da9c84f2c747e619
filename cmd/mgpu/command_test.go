package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asCommand has this program be the command.
const asCommand = "MGPU_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// ended is how a process of the command's ended.
type ended struct {
	stdout, stderr string
	status         int
}

// command runs the command in a process of its own. Standard output goes to a file, or to a
// pipe if that is nil.
func command(t *testing.T, env []string, stdout *os.File, args ...string) ended {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], args...)
	c.Env = append(append(os.Environ(), asCommand+"=1"), env...)
	var out, stderr bytes.Buffer
	c.Stdout, c.Stderr = &out, &stderr
	if stdout != nil {
		c.Stdout = stdout
	}
	var failed *exec.ExitError
	if err := c.Run(); err != nil {
		require.True(t, errors.As(err, &failed), "%v", err)
	}
	require.NoError(t, ctx.Err(), "it hangs")
	return ended{out.String(), stderr.String(), c.ProcessState.ExitCode()}
}

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	library := filepath.Join(t.TempDir(), libraryName)
	shared(t, library, libraryName, append(needed, ourMark)...)
	timeline := filepath.Join(t.TempDir(), "t.json")
	require.NoError(t, os.WriteFile(timeline, []byte(`{"otherData":{"monotonic":1},"traceEvents":[]}`), 0o600))
	for _, line := range []string{"", "help", "help run", "run --help", "version --library " + library, "path --library " + library, "doctor --library " + library,
		"inspect ../../internal/codeobj/testdata/v5.hsaco", "inspect -d ../../internal/codeobj/testdata/v5.hsaco", "completion bash", "trace summary " + timeline} {
		args := strings.Fields(line)
		assert.Zero(t, command(t, []string{"MGPU_DRIVER=soft"}, nil, args...).status, line)
		r := command(t, []string{"MGPU_DRIVER=soft"}, full, args...)
		assert.Equal(t, statusFailed, r.status, line)
		assert.Equal(t, "mgpu: standard output: no space left on device\n", r.stderr, line)
	}
}

// Each is refused at once: a pipe may have no writer, or one that does not write.
func TestWhatIsNoRegularFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	pipe, silent := filepath.Join(dir, "pipe"), filepath.Join(dir, "silent")
	for _, name := range []string{pipe, silent, pipe + ".part", pipe + ".so"} {
		require.NoError(t, syscall.Mkfifo(name, 0o700))
	}
	library := filepath.Join(dir, libraryName)
	announced(t, library, "mgpuLaunchKernel")
	writer, err := os.OpenFile(silent, os.O_RDWR, 0)
	require.NoError(t, err)
	defer writer.Close()
	for line, says := range map[string]string{
		"inspect PIPE":                           "PIPE: is a pipe, not a file",
		"inspect SILENT":                         "SILENT: is a pipe, not a file",
		"inspect /dev/zero":                      "/dev/zero: is a device, not a file",
		"trace PIPE.part":                        "PIPE.part: is a pipe, not a file",
		"trace summary PIPE":                     "PIPE: is a pipe, not a file",
		"trace summary SILENT":                   "SILENT: is a pipe, not a file",
		"trace summary PIPE.part":                "PIPE.part: is a pipe, not a file",
		"trace summary /dev/zero":                "/dev/zero: is a device, not a file",
		"trace summary /dev/urandom":             "/dev/urandom: is a device, not a file",
		"trace merge -o DIR/o /dev/zero":         "/dev/zero: is a device, not a file",
		"trace draw -o DIR/o.svg PIPE":           "PIPE: is a pipe, not a file",
		"version --library PIPE":                 "PIPE: is a pipe, not a file",
		"version --library /dev/zero":            "/dev/zero: is a device, not a file",
		"run --library PIPE.so /bin/true":        "PIPE.so is not " + libraryName,
		"run --rocm --library PIPE.so /bin/true": "PIPE.so is not " + driverName,
		"run --library LIBRARY PIPE":             "PIPE: permission denied",
	} {
		fill := strings.NewReplacer("PIPE", pipe, "SILENT", silent, "DIR", dir, "LIBRARY", library)
		r := command(t, nil, nil, strings.Fields(fill.Replace(line))...)
		assert.NotZero(t, r.status, line)
		assert.Contains(t, r.stderr, fill.Replace(says), line)
	}
	for _, env := range []string{"LD_PRELOAD=" + pipe, "LD_LIBRARY_PATH=" + dir, "MGPU_STATS=" + pipe} {
		d, out := newDoctor([]string{env}, opens("soft"))
		d.library(pipe+".so", nil)
		d.program(silent)
		d.settings(false)
		assert.Contains(t, out.String(), "! "+pipe+".so: is a pipe, not a file\n")
		assert.Contains(t, out.String(), "! "+silent+": is a pipe, not a file\n")
	}
}

func TestFilesThatAreFarTooLongAreRefused(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"zeros", "zeros.part", "spaces", "program"} {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, map[string][]byte{
			"spaces": []byte(`{"otherData":{"monotonic":1},"traceEvents":[`), "program": []byte("\x7fELF\x02\x01\x01"),
		}[filepath.Base(name)], 0o700))
		require.NoError(t, os.Truncate(name, 8<<30))
	}
	for line, says := range map[string]string{
		"trace summary DIR/zeros":               "DIR/zeros",
		"trace summary DIR/spaces":              "DIR/spaces",
		"trace merge -o DIR/o DIR/zeros":        "DIR/zeros",
		"trace draw -o DIR/o.svg DIR/zeros":     "DIR/zeros",
		"trace DIR/zeros.part":                  "not a file of records of MGPU_TRACE",
		"trace DIR/zeros":                       "zeros.part: not a file of records of MGPU_TRACE",
		"trace summary DIR/zeros.part":          "not a file of records of MGPU_TRACE",
		"inspect DIR/zeros":                     "it has 8192 MiB, more than the 2048 that are read",
		"inspect DIR/program":                   "DIR/program",
		"version --library DIR/zeros":           "does not say its version",
		"doctor --library DIR/zeros":            "problem",
		"run --library DIR/zeros /bin/true":     "DIR/zeros is not",
		"run --rocm --library DIR/program true": "DIR/program is not",
	} {
		fill := strings.NewReplacer("DIR", dir)
		r := command(t, nil, nil, strings.Fields(fill.Replace(line))...)
		assert.Contains(t, []int{statusFailed, statusWrongUse}, r.status, line+r.stderr)
		assert.Contains(t, r.stderr, fill.Replace(says), line)
		assert.NotContains(t, r.stderr, "goroutine", line)
	}
}

// announced is a library that says on standard output that it was loaded.
func announced(t *testing.T, path, function string) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	build(t, cc, "#include <unistd.h>\nvoid "+function+"(void) {}\n__attribute__((constructor)) static void say(void) { if (write(1, \"loaded\\n\", 7)) {} }\n",
		"-shared", "-fPIC", "-o", path)
}

// The loader splits LD_PRELOAD at spaces and colons, and fills in what begins with $.
func TestTheLibraryComesFromAnyFolder(t *testing.T) {
	private := t.TempDir()
	for _, folder := range []string{"plain", "with space", "with:colon", "a;b", "$ORIGIN", "tab\there", "one two:three $LIB"} {
		for _, name := range []string{libraryName, "my own: library.so"} {
			library := filepath.Join(t.TempDir(), folder, name)
			announced(t, library, "mgpuLaunchKernel")
			for range 2 { // the second time the link is there
				r := command(t, []string{"XDG_RUNTIME_DIR=" + private}, nil, "run", "--library", library, "/bin/true")
				assert.Equal(t, ended{"loaded\n", "", 0}, r, library)
			}
		}
	}
	info, err := os.Stat(filepath.Join(private, fmt.Sprintf("mgpu-%d", os.Getuid())))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestLinksAreMadeWhereNobodyElseCanChangeThem(t *testing.T) {
	open, next := t.TempDir(), t.TempDir()
	own := fmt.Sprintf("mgpu-%d", os.Getuid())
	require.NoError(t, os.Mkdir(filepath.Join(open, own), 0o777))
	require.NoError(t, os.Chmod(filepath.Join(open, own), 0o777))
	t.Setenv("XDG_RUNTIME_DIR", open)
	t.Setenv("TMPDIR", next)
	link, err := linkTo("/a b")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(next, own), filepath.Dir(link))
	to, err := os.Readlink(link)
	require.NoError(t, err)
	assert.Equal(t, "/a b", to)
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink("/elsewhere", link), "a link that leads elsewhere is replaced")
	again, err := linkTo("/a b")
	require.NoError(t, err)
	assert.Equal(t, link, again)
	to, err = os.Readlink(link)
	require.NoError(t, err)
	assert.Equal(t, "/a b", to)
	_, err = linkBelow(open, "/a b")
	require.ErrorContains(t, err, own+" is not a folder that only this user can enter")
	_, err = linkBelow(filepath.Join(open, "none"), "/a b")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestProgramsThatTakeNoLibraryAreRefused(t *testing.T) {
	dir := t.TempDir()
	library := filepath.Join(dir, libraryName)
	announced(t, library, "mgpuLaunchKernel")
	path := func(name string) string { return filepath.Join(dir, name) }
	const empty = "int main(void) { return 7; }"
	build(t, "cc", empty, "-o", path("dynamic"))
	build(t, "cc", empty, "-static", "-o", path("static"))
	build(t, "cc", empty, "-static-pie", "-o", path("static-pie"))
	script := func(name, first string) {
		require.NoError(t, os.WriteFile(path(name), []byte(first+"\nexit 7\n"), 0o700))
	}
	script("script", "#!/bin/sh")
	script("outer", "#! "+path("script"))
	script("odd", "#!\t"+path("static")+" -x")
	program, err := os.ReadFile(path("dynamic"))
	require.NoError(t, err)
	program[18] = 183 // e_machine
	require.NoError(t, os.WriteFile(path("other"), program, 0o700))
	refused := map[string]string{
		"static": "is linked statically", "static-pie": "is linked statically", "odd": path("static") + " is linked statically",
		"other": "is a program for AARCH64, ELFCLASS64, and the library is for X86_64, ELFCLASS64",
	}
	if os.Getuid() == 0 {
		for name, owner := range map[string][2]int{"setuid": {1, -1}, "setgid": {-1, 1}} {
			build(t, "cc", empty, "-o", path(name))
			require.NoError(t, os.Chown(path(name), owner[0], owner[1]))
			require.NoError(t, os.Chmod(path(name), 0o755|map[string]os.FileMode{"setuid": os.ModeSetuid, "setgid": os.ModeSetgid}[name]))
			refused[name] = "runs with more rights than its caller's"
		}
	}
	for name, says := range refused {
		r := command(t, nil, nil, "run", "--library", library, path(name))
		assert.Equal(t, statusCannotRun, r.status, name)
		assert.Contains(t, r.stderr, says, name)
		assert.Empty(t, r.stdout, name)
	}
	loaders, err := filepath.Glob("/lib64/ld-linux-x86-64.so.2")
	require.NoError(t, err)
	for _, args := range [][]string{{path("dynamic")}, {path("script")}, {path("outer")}, append(loaders, path("dynamic"))} {
		r := command(t, nil, nil, append([]string{"run", "--library", library}, args...)...)
		assert.Equal(t, 7, r.status, args)
		assert.Contains(t, r.stdout, "loaded\n", args)
	}
}
