package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/include"
	"github.com/mgpu-runtime/mgpu/internal/golden"
)

var update = flag.Bool("update", false, "update testdata")

func TestGoldenWrongUses(t *testing.T) {
	var out strings.Builder
	for _, line := range []string{
		"rnu prog", "/bin/true", "help nosuch", "help trace sumary", "help run extra", "completion fsh", "completion bash x", "run", "run --dirver=soft prog", "run --driver=sotf prog", "run --chip=gfx1010 prog", "run --chip=gfx90a:xnak+ prog",
		"run --graph=on prog", "run --check=races prog", "run --profile=speed prog", "run --rocm --profile=speed /bin/true", "run --on-error=stop prog", "run --on-error=exit:0 prog", "run -e MGPU_CAHCE=off prog",
		"run -e MGPU_CACHE=no prog", "run -e MGPU_SOFT_DEVICES=0 prog", "run -e MGPU_TRACE_LIMIT=x prog", "run -e MGPU_CACHE prog",
		"run -e MGPU_SOMETHING=1 prog", "run --rocm --trace /bin/true", "run --rocm --no-cache /bin/true", "run --rocm --check=memory,speed /bin/true",
		"run --error-exitcode=300 prog", "run --error-exitcode=-1 prog", "run --no-cache=x prog", "run -e MGPU_STATS=on prog", "run -e MGPU_DEVICE=x prog", "run --driver", "run no-such-program", "run /no/such/program", "run /etc", "run /etc/passwd", "doctor one two", "inspect", "inspect nofile", "inspect --disasemble file",
		"launch --shared=-1 file kernel", "launch --repeat=x file kernel",
		"trace", "trace t.json", "trace sumary t.json", "trace summary", "trace merge t.json", "trace nofile", "trace nofile.part", "trace testdata/wrong-uses.txt", "trace summary nofile", "trace summary testdata/wrong-uses.txt",
		"trace draw --from=x -o t.svg t.json", "trace draw --to=-1 -o t.svg t.json", "trace draw --to=inf -o t.svg t.json", "trace draw --from 10 --to 5 -o t.svg t.json",
		"trace draw --last 10 --to 5 -o t.svg t.json", "trace draw --last=-3 -o t.svg t.json",
		"trace draw --width -5 -o t.svg t.json", "trace draw --width=x -o t.svg t.json", "trace draw -o t.svg t.json", "version now", "man",
	} {
		root := rootCommand()
		root.SetArgs(strings.Fields(line))
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		completions(root)
		err := root.Execute()
		require.Error(t, err, line)
		fmt.Fprintf(&out, "$ mgpu %s\nmgpu: %v\n[%d]\n", line, plain(err), exitStatus(err))
	}
	golden.Check(t, "testdata/wrong-uses.txt", out.String(), *update, "go test ./cmd/mgpu -run Golden -update")
}

func TestPagesAreWrittenForEachCommand(t *testing.T) {
	folder := t.TempDir()
	root := rootCommand()
	root.SetArgs([]string{"man", folder})
	require.NoError(t, root.Execute())
	pages, err := filepath.Glob(folder + "/*")
	require.NoError(t, err)
	var names []string
	for _, p := range pages {
		names = append(names, filepath.Base(p))
	}
	assert.Equal(t, []string{"mgpu-doctor.1", "mgpu-inspect.1", "mgpu-launch.1", "mgpu-path.1", "mgpu-run.1", "mgpu-trace-draw.1", "mgpu-trace-merge.1", "mgpu-trace-summary.1",
		"mgpu-trace.1", "mgpu-version.1", "mgpu.1"}, names)
	run, err := os.ReadFile(folder + "/mgpu-run.1")
	require.NoError(t, err)
	assert.Contains(t, string(run), "\n.TP\n.B \\-e, \\-\\-env NAME=VALUE\n")
	assert.Contains(t, string(run), "\n.TP\n.B \\-\\-trace[=FILE]\nrecord a timeline in FILE, mgpu\\-trace.json")
	all, err := os.ReadFile(folder + "/mgpu.1")
	require.NoError(t, err)
	assert.Contains(t, string(all), "\n.TP\n.B MGPU_DRIVER\n")
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed: make setup installs it")
	}
	out, err := exec.Command(groff, append([]string{"-man", "-Tascii", "-ww", "-z"}, pages...)...).CombinedOutput()
	require.NoError(t, err)
	assert.Empty(t, string(out))
}

func TestTheVersionsAreSaid(t *testing.T) {
	library := filepath.Join(t.TempDir(), libraryName)
	said := func() (string, error) {
		root, out := rootCommand(), new(strings.Builder)
		root.SetArgs([]string{"version", "--library", library})
		root.SetOut(out)
		err := root.Execute()
		return out.String(), err
	}
	out, err := said()
	require.NoError(t, err)
	assert.Regexp(t, "^mgpu "+include.Version()+" \\(go.*\\)\nlibrary: --library="+library+": no such file or directory\n$", out)
	require.NoError(t, os.WriteFile(library, []byte("x\x00"+versionMark+"7.8.9\x00y"), 0o644))
	out, err = said()
	require.NoError(t, err)
	assert.Contains(t, out, "\nlibrary 7.8.9 ("+library+")\n")
	require.NoError(t, os.WriteFile(library, []byte("stock"), 0o644))
	_, err = said()
	require.ErrorContains(t, err, "does not say its version")
	d, text := newDoctor(nil)
	shared(t, library, libraryName, append(needed, ourMark)...)
	binary, err := os.ReadFile(library)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(library, []byte(strings.Replace(string(binary), versionMark+include.Version(), versionMark+"0.0.1", 1)), 0o644))
	d.library(library, nil)
	assert.Contains(t, text.String(), "! it is version 0.0.1, and this is mgpu "+include.Version())
}
