package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
	"github.com/mgpu-runtime/mgpu/test/programs/mpi"
)

func read(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(chost.Root(), page))
	require.NoError(t, err)
	return string(text)
}

// step is a command of a document and the lines that it shows below.
type step struct {
	command string
	shows   []string
	counts  bool // numbers differ from run to run, and so does the width of columns
}

// steps are the commands in a document's indented lines, which begin with "$ ". A
// here-document belongs to its command; text ends what a command shows.
func steps(text string) (all []step) {
	end, ended := "", true
	for _, line := range strings.Split(text, "\n") {
		line, shown := strings.CutPrefix(line, "    ")
		command, begins := strings.CutPrefix(line, "$ ")
		last := len(all) - 1
		switch {
		case end != "":
			all[last].command += "\n" + line
			if line == end {
				end = ""
			}
		case shown && begins:
			all = append(all, step{command: command})
			ended = false
			if _, word, ok := strings.Cut(command, "<<'"); ok {
				end = strings.TrimSuffix(word, "'")
			}
		case !shown:
			ended = ended || line != ""
		case !ended:
			all[last].shows = append(all[last].shows, line)
		}
	}
	return all
}

// What differs from run to run: addresses, which workgroup was the first, HIP's version, and places and lengths of code.
var varies = regexp.MustCompile(`0x[0-9a-f]{6,}|workgroup \(\d+,|HIP 5\.[\d.]+|byte \d+ \(|code object, \d+ bytes`)

var number = regexp.MustCompile(`\d+(\.\d+)?`)

func (s step) mask(line string) string {
	if s.counts {
		return strings.Join(strings.Fields(number.ReplaceAllString(line, "_")), " ")
	}
	return varies.ReplaceAllString(line, "_")
}

// requireShown wants a run's lines to be those that a document shows, in any order, as
// workgroups run at the same time. "..." stands for lines, or the end of one, that
// the document leaves out.
func requireShown(t *testing.T, s step, output string) {
	t.Helper()
	rest := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
	for i := range rest {
		rest[i] = s.mask(rest[i])
	}
	whole := true
	for _, line := range s.shows {
		if line == "..." {
			whole = false
			continue
		}
		start, cut := strings.CutSuffix(s.mask(line), "...")
		found := false
		for i, got := range rest {
			if found = got == start || cut && strings.HasPrefix(got, start); found {
				rest = append(rest[:i], rest[i+1:]...)
				break
			}
		}
		require.True(t, found, "%s\nprints no line\n%s\nbut\n%s", s.command, line, output)
	}
	if whole {
		require.Empty(t, strings.Join(rest, "\n"), "%s: not shown", s.command)
	}
}

// environment is the test's, less what the library reads, and more.
func environment(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "MGPU_") || strings.HasPrefix(v, "GO")
	})
	return append(env, more...)
}

// runSession does what a page says from its first command to the last, in a folder like a
// clone after "make setup all". Exports of the page hold for the later commands.
func runSession(t *testing.T, page string, env ...string) {
	t.Helper()
	all := steps(read(t, page))
	require.Greater(t, len(all), 5)
	runSteps(t, all, env...)
}

// clone makes a folder that looks like a clone after "make setup all".
func clone(t *testing.T) string {
	t.Helper()
	library := chost.Library(t)
	dir := t.TempDir()
	for _, name := range []string{"include", "internal", "python", "scripts", "test"} {
		require.NoError(t, os.Symlink(filepath.Join(chost.Root(), name), filepath.Join(dir, name)))
	}
	build := filepath.Join(dir, "build")
	require.NoError(t, os.Mkdir(build, 0o700))
	require.NoError(t, os.Symlink(library, filepath.Join(build, filepath.Base(library))))
	require.NoError(t, os.Symlink(chost.Command(t), filepath.Join(build, "mgpu")))
	require.NoError(t, os.Symlink(filepath.Join(filepath.Dir(library), "libmgpu_symmetric.so"), filepath.Join(build, "libmgpu_symmetric.so")))
	return dir
}

func runSteps(t *testing.T, all []step, env ...string) {
	t.Helper()
	dir := clone(t)
	build := filepath.Join(dir, "build")
	exported := ""
	for _, s := range all {
		if strings.HasPrefix(s.command, "export ") {
			exported += s.command + "\n"
			continue
		}
		cmd := exec.Command("bash", "-c", exported+s.command)
		cmd.Dir = dir
		cmd.Env = environment(append(env, "BUILD="+build)...)
		out, _ := cmd.CombinedOutput() // what fails prints something else
		if strings.HasPrefix(s.command, "patch ") {
			require.True(t, cmd.ProcessState.Success(), "%s\n%s", s.command, out)
			continue
		}
		if strings.Contains(s.command, "mpirun") && strings.Contains(s.command, "scripts/jit") {
			out = []byte(mpi.Unmixed(string(out)))
		}
		requireShown(t, s, strings.ReplaceAll(string(out), dir+"/", "")) // pages show names without the folder
	}
}

func TestThePageOfPython(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
	needNumpy(t)
	runSession(t, "docs/python.md", "PYTHONDONTWRITEBYTECODE=1", "PATH=/usr/bin:"+os.Getenv("PATH"))
}

func TestThePageOfTensors(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
	if err := exec.Command("/usr/bin/python3", "-c", "import torch").Run(); err != nil {
		t.Skip("PyTorch (python3-torch) is not installed")
	}
	runSession(t, "docs/tensors.md", "PYTHONDONTWRITEBYTECODE=1", "PATH=/usr/bin:"+os.Getenv("PATH"))
}

func TestThePageOfKernels(t *testing.T) {
	toolchain.Need(t, "clang-22", "clang++-22", "ld.lld-22", "cc")
	needNumpy(t)
	chost.Command(t)
	runSession(t, "docs/kernels.md", "PYTHONDONTWRITEBYTECODE=1", "PATH=/usr/bin:"+os.Getenv("PATH"))
}

func TestThePageOfProjects(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
	needNumpy(t)
	runSession(t, "docs/projects.md", "PYTHONDONTWRITEBYTECODE=1", "PATH=/usr/bin:"+os.Getenv("PATH"))
}

// withCommand is PATH with the command mgpu.
func withCommand(t *testing.T) string {
	t.Helper()
	return "PATH=" + filepath.Dir(chost.Command(t)) + ":/usr/bin:" + os.Getenv("PATH")
}

func TestThePageOfTheCommand(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
	needNumpy(t)
	runSession(t, "docs/command.md", withCommand(t))
}

func TestAClosedOutputIsAFailureOfWhatWritesToIt(t *testing.T) {
	command := chost.Command(t)
	closed := func(args ...string) chost.Result {
		return chost.Run(t, []string{"MGPU_DRIVER=soft"}, "sh", append([]string{"-c", `exec "$0" "$@" >&-`, command}, args...)...)
	}
	for _, args := range [][]string{{"help"}, {"--version"}, {"version"}, {"path"}, {"doctor"}, {"completion", "bash"}} {
		assert.Equal(t, chost.Result{Stderr: "mgpu: standard output: bad file descriptor\n", End: "exit 1"}, closed(args...), args)
	}
	assert.Equal(t, chost.Result{End: "exit 0"}, closed("man", t.TempDir()), "it writes files alone")
	assert.Equal(t, chost.Result{End: "exit 7"}, closed("run", "sh", "-c", "[ ! -e /proc/self/fd/1 ] && exit 7"), "it is closed for the program, too")
}

// program makes the program ./prog that pages use without saying how it came.
var program = step{command: "scripts/lower 22 gpu test/mlir/kernel-chain.mlir prog.mlir && scripts/link 22 prog.mlir prog"}

func TestPagesAboutTheSoftwareGPU(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
	for _, page := range []string{"docs/soft.md", "docs/instructions.md", "docs/profile.md"} {
		t.Run(page, func(t *testing.T) {
			all := steps(read(t, page))
			require.GreaterOrEqual(t, len(all), 3)
			runSteps(t, append([]step{program}, all...), withCommand(t))
		})
	}
}

func TestThePageOfDoctor(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
	for _, gpu := range []string{"/dev/kfd", "/dev/dxg", "/dev/nvidiactl"} {
		if _, err := os.Stat(gpu); err == nil {
			t.Skip("the page shows a machine without a GPU: " + gpu)
		}
	}
	all := steps(read(t, "docs/doctor.md"))
	require.Len(t, all, 1)
	runSteps(t, append([]step{program}, all...), withCommand(t))
}

func TestThePageOfPrintf(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
	runSteps(t, steps(read(t, "docs/printf-and-assert.md")))
}

// TestPagesWithTimes compares what the pages of timelines and statistics show without the numbers.
func TestPagesWithTimes(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "mlir-opt-19", "mlir-translate-19", "ld.lld-22")
	for _, page := range []string{"docs/trace.md", "docs/statistics.md"} {
		all := steps(read(t, page))
		require.NotEmpty(t, all)
		for i := range all {
			all[i].counts = true
		}
		runSteps(t, all, withCommand(t))
	}
}

// TestThePageOfHIP compiles a HIP program, and runs it on AMD's HIP.
func TestThePageOfHIP(t *testing.T) {
	needHIP(t)
	_, section, found := strings.Cut(read(t, "docs/rocm.md"), "\n## From a source to a report\n")
	require.True(t, found)
	runSteps(t, steps(section), withCommand(t))
}

// TestThePageOfCI builds a HIP project with the source and the flags of the page of HIP, and runs its tests by ctest.
func TestThePageOfCI(t *testing.T) {
	needHIP(t)
	toolchain.Need(t, "cmake", "ctest", "make")
	_, section, found := strings.Cut(read(t, "docs/rocm.md"), "\n## From a source to a report\n")
	require.True(t, found)
	source := append(steps(section)[:4], step{command: "sed -i s/100/128/ reverse.hip"})
	ctest := steps(read(t, "docs/ci.md"))
	require.Len(t, ctest, 4)
	runSteps(t, append(source, ctest...), withCommand(t))
}

// TestTheReadmesProgram builds and runs the README's program as a clone does after make demo, and the commands of a package.
func TestTheReadmesProgram(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22", "mlir-runner-22")
	_, section, found := strings.Cut(read(t, "README.md"), "\n## Try it\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	lines := regexp.MustCompile(`(?m)^    (.*)$`).FindAllStringSubmatch(section, -1)
	require.Len(t, lines, 9)
	require.True(t, strings.HasPrefix(lines[4][1], "make demo "))
	script := "set -e\n"
	for _, at := range []int{5, 6, 7, 8, 0, 1, 2, 3} {
		script += lines[at][1] + "\n"
		if at == 8 {
			script += "cp build/prog prog; cp build/p.mlir lowered.mlir\n"
		}
	}
	dir := clone(t)
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir, cmd.Env = dir, environment("BUILD="+filepath.Join(dir, "build"), withCommand(t))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, 2, strings.Count(string(out), "mgpu statistics: driver "), "%s", out)
	assert.Contains(t, string(out), "mgpu check: memory,race: 1 launch: nothing found\n")
}

func needHIP(t *testing.T) {
	t.Helper()
	toolchain.Need(t, "clang++-22")
	if found, _ := filepath.Glob("/usr/lib/*/libamdhip64.so.5"); found == nil {
		t.Skip("AMD's HIP (libamdhip64-5) is not installed")
	}
	require.DirExists(t, filepath.Join(filepath.Dir(chost.Library(t)), "rocm"), "make rocm")
}

func needNumpy(t *testing.T) {
	t.Helper()
	if err := exec.Command("/usr/bin/python3", "-c", "import numpy").Run(); err != nil {
		t.Skip("numpy (python3-numpy) is not installed")
	}
}

func TestThePageOfTheAPI(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22", "cc", "c++")
	runSession(t, "docs/api.md")
}

// TestTheGallery runs each program of docs/gallery.md where it is built; the transformer,
// whose kernels are many, with MGPU_TEST_LONG.
func TestTheGallery(t *testing.T) {
	build := filepath.Dir(chost.Library(t))
	for _, s := range steps(read(t, "docs/gallery.md")) {
		name := s.command[strings.LastIndex(s.command, " ")+1:]
		t.Run(name, func(t *testing.T) {
			toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
			switch name {
			case "transformer":
				if !chost.Long() {
					t.Skip("make test-long runs it")
				}
			case "heat":
				toolchain.Need(t, "mpirun.openmpi")
			case "python":
				needNumpy(t)
			case "hip":
				needHIP(t)
			}
			cmd := exec.Command("bash", "-c", s.command)
			cmd.Dir = chost.Root()
			cmd.Env = environment(append(mpi.Settings, "BUILD="+build)...)
			out, _ := cmd.CombinedOutput() // what fails prints something else
			requireShown(t, s, string(out))
		})
	}
}

func TestTheBugHuntOfTheChecker(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22", "patch")
	runSession(t, "docs/checker.md")
}

func TestRanksOfSeveralGPUs(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22", "mpirun.openmpi", "mpirun.mpich")
	runSession(t, "docs/several-gpus.md", mpi.Settings...)
}

// TestTheDemosTable compares the README's table with one of the same program: names
// and counts, without the times.
func TestTheDemosTable(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
	library := chost.Library(t)
	dir := t.TempDir()
	cmd := exec.Command("bash", "-e", "-c", `
		scripts/lower 22 gpu test/mlir/repeated-launch.mlir "$BUILD/loop.mlir"
		scripts/link 22 "$BUILD/loop.mlir" "$BUILD/loop"
		MGPU_STATS=1 MGPU_DRIVER=soft MGPU_CACHE=off "$BUILD/loop" 2>"$BUILD/off"
		MGPU_STATS=1 MGPU_DRIVER=soft "$BUILD/loop" 2>"$BUILD/on"
		scripts/side-by-side "$BUILD/off" "$BUILD/on"`)
	cmd.Dir = chost.Root()
	cmd.Env = environment("BUILD="+dir, "RUNTIME="+filepath.Dir(library))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	readme := read(t, "README.md")
	_, table, _ := strings.Cut(readme, "\n    driver soft, ")
	table, _, _ = strings.Cut(table, "\n\n")
	require.Equal(t, counts(string(out)), counts("driver soft, "+table))
}

// counts are a table's lines, with one blank for several and without times and ratios
// of times.
func counts(table string) []string {
	times := regexp.MustCompile(`\d+\.\d{3}|\S+ x *$|all saved *$`)
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		lines = append(lines, strings.Join(strings.Fields(times.ReplaceAllString(strings.TrimSpace(line), "_")), " "))
	}
	return lines
}

// TestTheExampleOfScopes lowers it as its page says.
func TestTheExampleOfScopes(t *testing.T) {
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "ld.lld-22")
	text := read(t, "docs/memory.md")
	require.Contains(t, text, "`gpu-async-region`")
	example := regexp.MustCompile(`(?m)^    %cache = .*\n(?:    .*\n)+`).FindString(text)
	require.Contains(t, example, "gpu.alloc")
	lowered, err := toolchain.Lower("async", `module attributes {gpu.container_module} {
		func.func private @mgpuxAllocCacheCreate() -> i64
		func.func private @mgpuxAllocCacheBegin(i64)
		func.func private @mgpuxAllocCacheEnd(i64)
		func.func @main() {
			%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%c1000 = arith.constant 1000 : index
			`+strings.ReplaceAll(example, "...", "")+`
			return
		}
	}`)
	require.NoError(t, err)
	assert.Contains(t, lowered, "@mgpuMemAlloc(")
}

// TestWhatSetUpMadeIsRemovedAndNothingElse is of scripts/toolkit, which `make
// clean-machine` runs.
func TestWhatSetUpMadeIsRemovedAndNothingElse(t *testing.T) {
	toolchain.Need(t, "ld.lld-16")
	toolkit := filepath.Join(chost.Root(), "scripts", "toolkit")
	dir := filepath.Join(t.TempDir(), "rocm")
	made := func() { require.NoError(t, exec.Command(toolkit, "16", dir).Run()) }
	removed := func() bool {
		err := exec.Command(toolkit, "--remove", dir).Run()
		_, gone := os.Stat(dir)
		require.Equal(t, err == nil, os.IsNotExist(gone))
		return err == nil
	}
	made()
	require.True(t, removed())
	for _, name := range []string{"file", "llvm/file"} {
		made()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
		require.False(t, removed(), name)
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "llvm/bin/ld.lld")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "llvm/bin/ld.lld"), nil, 0o600))
	require.False(t, removed(), "a linker of its own")
}
