package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flags parses a command line of mgpu run and returns what it sets.
func flags(t *testing.T, args ...string) (map[string]string, error) {
	t.Helper()
	var set map[string]string
	c, o := newRunCommand()
	c.RunE = func(*cobra.Command, []string) (err error) {
		set, err = o.set()
		return err
	}
	root := rootCommand()
	root.RemoveCommand(commandNamed(root, "run"))
	root.AddCommand(c)
	root.SetArgs(append([]string{"run"}, args...))
	return set, root.Execute()
}

func commandNamed(root *cobra.Command, name string) *cobra.Command {
	c, _, _ := root.Find([]string{name})
	return c
}

func TestTheLibraryComesBeforeOthersThatArePreloaded(t *testing.T) {
	assert.Equal(t, "/lib/ours.so:libother.so", preloaded([]string{"A=1", "LD_PRELOAD=libother.so"}, "/lib/ours.so"))
	assert.Equal(t, "/lib/ours.so", preloaded([]string{"A=1", "LD_PRELOAD="}, "/lib/ours.so"))
}

func TestFlagsBecomeSettings(t *testing.T) {
	for _, c := range []struct {
		args []string
		want map[string]string
	}{
		{[]string{"prog"}, map[string]string{}},
		{[]string{"--trace", "prog", "--driver=x"}, map[string]string{"MGPU_TRACE": "mgpu-trace.json"}},
		{[]string{"--trace=t.json", "--error-exitcode=7", "prog"}, map[string]string{"MGPU_TRACE": "t.json", "MGPU_ON_ERROR": "exit:7"}},
		{[]string{"--stats", "--driver", "null", "--no-cache", "prog"}, map[string]string{"MGPU_STATS": "1", "MGPU_DRIVER": "null", "MGPU_CACHE": "off"}},
		{[]string{"--stats=s.json", "--graph=off", "prog"}, map[string]string{"MGPU_STATS": "s.json", "MGPU_GRAPH": "off"}},
		{[]string{"--chip=gfx90a:xnack+", "--check=memory,race", "--on-error=exit:2", "prog"},
			map[string]string{"MGPU_SOFT_CHIP": "gfx90a:xnack+", "MGPU_CHECK": "memory,race", "MGPU_ON_ERROR": "exit:2"}},
		{[]string{"-e", "OMP_NUM_THREADS=2", "-e", "MGPU_DRIVER=cuda", "--driver=soft", "-e", "MGPU_TEST_FASTPATH=off", "prog"},
			map[string]string{"OMP_NUM_THREADS": "2", "MGPU_DRIVER": "soft", "MGPU_TEST_FASTPATH": "off"}},
	} {
		set, err := flags(t, c.args...)
		require.NoError(t, err)
		assert.Equal(t, c.want, set, c.args)
	}
}

// getenv finds the first of two.
func TestFlagsComeBeforeTheEnvironment(t *testing.T) {
	env := with([]string{"A=1", "MGPU_DRIVER=soft"}, map[string]string{"MGPU_DRIVER": "null"})
	assert.Equal(t, []string{"A=1", "MGPU_DRIVER=null"}, env)
}

func TestWhatIsPossibleIsCompleted(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"run --driver ", "hip\ncuda\nsoft\nnull\n:4\n"},
		{"run --chip gfx90a", "gfx90a\n:4\n"},
		{"run --check memory,r", "memory,race\n:4\n"},
		{"run --on-error ", "abort\nexit\n:4\n"},
		{"run -e MGPU_GRA", "MGPU_GRAPH=\twhich repeated launches go through graphs\n:6\n"},
		{"run -e MGPU_GRAPH=", "MGPU_GRAPH=auto\nMGPU_GRAPH=off\n:4\n"},
		{"run --trace=", ":0\n"}, // a file's name
		{"run ", ":0\n"},
		{"trace s", "summary\tSummarize a timeline\n:4\n"},
	} {
		root, out := rootCommand(), new(bytes.Buffer)
		root.SetArgs(append([]string{"__complete"}, strings.Split(c.args, " ")...))
		root.SetOut(out)
		root.SetErr(io.Discard)
		require.NoError(t, root.Execute())
		assert.Equal(t, c.want, out.String(), c.args)
	}
}

func TestAMissingLibraryIsNamed(t *testing.T) {
	dir := t.TempDir()
	o := runOptions{library: filepath.Join(dir, "nowhere.so")}
	_, err := o.find(libraryName)
	require.EqualError(t, err, "--library="+o.library+": no such file or directory")
	assert.Equal(t, statusWrongUse, exitStatus(err))

	o.library = filepath.Join(dir, libraryName)
	require.NoError(t, os.WriteFile(o.library, nil, 0o644))
	found, err := o.find(libraryName)
	require.NoError(t, err)
	assert.Equal(t, o.library, found)
}

func TestWhatIsNoLibraryIsNotPreloaded(t *testing.T) {
	dir := t.TempDir()
	readme, other, program := filepath.Join(dir, "README.md"), filepath.Join(dir, "other.so"), "/bin/true"
	require.NoError(t, os.WriteFile(readme, []byte("# Read me"), 0o644))
	shared(t, other, "other.so", "f")
	for _, file := range []string{readme, other, dir} {
		for flag, name := range map[string]string{"": libraryName, "--rocm": driverName} {
			root := rootCommand()
			root.SetArgs(strings.Fields("run " + flag + " --library=" + file + " " + program))
			err := root.Execute()
			require.EqualError(t, err, file+" is not "+name)
			assert.Equal(t, statusWrongUse, exitStatus(err))
		}
	}
}

func TestThePathOfTheLibraryIsPrinted(t *testing.T) {
	library := filepath.Join(t.TempDir(), libraryName)
	require.NoError(t, os.WriteFile(library, nil, 0o644))
	for arguments, want := range map[string]string{
		"--library " + library:            "",
		"--library " + library + " --lit": "one of them",
		"--cuda --lit":                    "one of them",
		"--lit":                           "share/mgpu/lit.cfg.py",
	} {
		root, out := rootCommand(), new(bytes.Buffer)
		root.SetArgs(append([]string{"path"}, strings.Fields(arguments)...))
		root.SetOut(out)
		if err := root.Execute(); want != "" {
			assert.ErrorContains(t, err, want, arguments)
		} else {
			require.NoError(t, err)
			assert.Equal(t, library+"\n", out.String())
		}
	}
}

func TestDriversOfPackagesLieInAFolderOfTheirOwn(t *testing.T) {
	_, err := new(runOptions).find("rocm/nowhere.so")
	require.ErrorContains(t, err, "/rocm/nowhere.so, ")
	require.ErrorContains(t, err, "/lib/mgpu/rocm/nowhere.so, ")
	require.ErrorContains(t, err, "/lib64/mgpu/rocm/nowhere.so, build/rocm/nowhere.so")
}

func TestAProgramOfTheCurrentFolderIsNamedWithADot(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("prog", []byte("#!/bin/sh\n"), 0o700))
	require.NoError(t, os.WriteFile("text", nil, 0o600))
	for name, says := range map[string]string{
		"prog":   "prog: executable file not found in $PATH: did you mean ./prog?",
		"text":   "text: executable file not found in $PATH",
		"a.mlir": "a.mlir: executable file not found in $PATH: mlir-runner --shared-libs=$(mgpu path) runs lowered MLIR",
		"":       `"": executable file not found in $PATH`,
	} {
		err := new(runOptions).exec([]string{name})
		require.EqualError(t, err, says)
		assert.Equal(t, statusNoProgram, exitStatus(err))
	}
	require.NoError(t, os.WriteFile("b.mlir", nil, 0o600))
	err := new(runOptions).exec([]string{"./b.mlir"})
	require.EqualError(t, err, "./b.mlir: permission denied: mlir-runner --shared-libs=$(mgpu path) runs lowered MLIR")
	assert.Equal(t, statusCannotRun, exitStatus(err))
}
