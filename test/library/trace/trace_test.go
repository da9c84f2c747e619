package trace

import (
	"bufio"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

const soft = "MGPU_DRIVER=soft"

func host(t *testing.T) string {
	t.Helper()
	testdata := filepath.Join(chost.Root(), "internal", "codeobj", "testdata")
	return chost.Build(t, "timeline", []string{filepath.Join("hosts", "timeline.c")},
		append(chost.Linked(chost.Library(t)), `-DTESTDATA="`+testdata+`"`)...)
}

var (
	lineAtExit = regexp.MustCompile(`^mgpu: trace: (.+)\.part: (\d+) KiB of records(?:, (\d+) lost \(MGPU_TRACE_LIMIT\))?; 'mgpu trace (.+)' makes the timeline$`)
	converted  = regexp.MustCompile(`^(.+): (\d+) events?, (\d+) threads?, (\d+) streams?, (\d+) lost, (\d+) bytes\n$`)
)

// traced runs a host with a timeline, and makes the timeline by the command, as the line at exit says.
func traced(t *testing.T, env []string, args ...string) (*timeline, chost.Result) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "t.json")
	r := chost.Run(t, append([]string{"MGPU_TRACE=" + file}, env...), host(t), args...)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	said := lineAtExit.FindStringSubmatch(r.Lines()[len(r.Lines())-1])
	require.NotNil(t, said, r.Stderr)
	require.Equal(t, file, said[1])
	require.Equal(t, file, said[4])
	require.NoFileExists(t, file, "the process makes no timeline")
	info, err := os.Stat(file + ".part")
	require.NoError(t, err)
	require.Equal(t, said[2], strconv.FormatInt(info.Size()>>10, 10), "the file ends where the records do")
	out := convert(t, file)
	require.Equal(t, file, out[1])
	require.Equal(t, cmp.Or(said[3], "0"), out[5])
	info, err = os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, out[6], strconv.FormatInt(info.Size(), 10))
	l := read(t, file)
	events := 0
	for _, e := range l.Events {
		if e.Phase != "M" {
			events++
		}
	}
	require.Equal(t, out[2], strconv.Itoa(events))
	return l, r
}

// convert makes a timeline by the command, and returns the command's output.
func convert(t *testing.T, file string) []string {
	t.Helper()
	out, err := exec.Command(chost.Command(t), "trace", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	said := converted.FindStringSubmatch(string(out))
	require.NotNil(t, said, "%s", out)
	return said
}

// readRecords makes and reads the timeline from the records of MGPU_TRACE=file.
func readRecords(t *testing.T, file string) *timeline {
	t.Helper()
	convert(t, file)
	return read(t, file)
}

// row returns a function's calls and driver calls from the table of MGPU_STATS.
func row(t *testing.T, table, name string) (calls, driver int) {
	t.Helper()
	for line := range strings.Lines(table) {
		if f := strings.Fields(line); len(f) > 3 && f[0] == name {
			calls, err := strconv.Atoi(f[1])
			require.NoError(t, err)
			driver, err = strconv.Atoi(f[2])
			require.NoError(t, err)
			return calls, driver
		}
	}
	return 0, 0
}

func TestATimelineHasWhatTheStatisticsCount(t *testing.T) {
	for how, env := range map[string][]string{
		"lowered": {}, "streams": {}, "region": {}, "without cache": {"MGPU_CACHE=off"}, "without C": {"MGPU_TEST_FASTPATH=off"},
	} {
		t.Run(how, func(t *testing.T) {
			args := []string{how, "20"}
			if len(env) > 0 {
				args[0] = "streams"
			}
			l, r := traced(t, append(env, soft, "MGPU_STATS=1"), args...)
			total, driver := 0, 0
			for _, name := range []string{"mgpuModuleLoad", "mgpuModuleUnload", "mgpuModuleGetFunction", "mgpuLaunchKernel", "mgpuStreamCreate", "mgpuStreamDestroy",
				"mgpuStreamSynchronize", "mgpuStreamWaitEvent", "mgpuEventCreate", "mgpuEventDestroy", "mgpuEventRecord", "mgpuMemAlloc", "mgpuMemFree",
				"mgpuMemcpy", "mgpuMemset32"} {
				calls, made := row(t, r.Stderr, name)
				require.Equal(t, calls, l.count(name), name)
				total, driver = total+calls, driver+made
			}
			all, _ := row(t, r.Stderr, "total")
			require.Equal(t, total, all)
			require.Equal(t, driver, l.count("#driver"))
			require.Zero(t, l.Other.Lost)
			require.Equal(t, "soft", l.Other.Driver)
		})
	}
}

// Call numbers are the same as in other reports; each occurs once.
func TestCallsAreNumbered(t *testing.T) {
	l, _ := traced(t, []string{soft}, "streams", "10")
	var numbers []int
	for _, e := range l.Events {
		if n, ok := e.Args["call"].(float64); ok && e.Category == "call" {
			numbers = append(numbers, int(n))
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		require.Equal(t, i+1, n)
	}
}

func TestAWarmCacheMakesNoDriverCalls(t *testing.T) {
	l, _ := traced(t, []string{soft}, "lowered", "100")
	require.Equal(t, 100, l.count("mgpuStreamCreate"))
	require.Equal(t, 1, l.count("driver StreamCreate"))
	require.Equal(t, 1, l.count("driver ModuleLoad"))
	require.Equal(t, 100, l.count("driver LaunchKernel"))
	outcomes := map[any]int{}
	for _, e := range l.Events {
		if e.Name == "mgpuModuleLoad" {
			outcomes[e.Args["outcome"]]++
		}
	}
	require.Equal(t, map[any]int{"miss": 1, "hit": 99}, outcomes)
}

func TestDeviceWorkIsLinkedWithItsCalls(t *testing.T) {
	l, _ := traced(t, []string{soft}, "streams", "10")
	require.Equal(t, 20, l.count("saxpy"))
	require.Equal(t, 20, l.count("copy"))
	require.Equal(t, 10, l.count("fill"))
	require.Equal(t, 20, l.flows("launch"))
	require.Equal(t, 20, l.flows("copy"))
	require.Equal(t, 10, l.flows("event"))
	require.Equal(t, 20, l.count("#range")-l.count("consume"))
	names, lines := map[string]bool{}, 0
	for _, e := range l.Events {
		if name, ok := e.Args["name"].(string); ok && e.Phase == "M" {
			names[name] = true
		}
		if e.Phase == "i" && e.Category == "line" {
			lines++
		}
	}
	for _, name := range []string{"producer", "consumer", "GPU 0: gfx906 (software)", "stream 1: produced", "stream 2", "timeline"} {
		require.True(t, names[name], "%s of %v", name, names)
	}
	require.Equal(t, 1, lines)
}

func TestARegionIsOneSliceWithItsNodes(t *testing.T) {
	l, _ := traced(t, []string{soft}, "region", "5")
	require.Equal(t, 5, l.count("region 0x7"))
	require.Equal(t, 20, l.count("saxpy"))
	recorded := 0
	for _, e := range l.Events {
		if e.Name == "mgpuLaunchKernel" && e.Args["way"] == "recorded into a region" {
			recorded++
		}
	}
	require.Equal(t, 20, recorded)
}

func TestBoundsAreWhatIsKnownOfOtherDevices(t *testing.T) {
	l, _ := traced(t, []string{"MGPU_DRIVER=null"}, "lowered", "10")
	require.Equal(t, 10, l.count("#bounds"))
	require.Equal(t, 10, l.flows("submission"))
}

func TestAFlushForLackOfMemoryIsAMoment(t *testing.T) {
	l, _ := traced(t, []string{soft, "MGPU_SOFT_MEMORY=12MiB"}, "scarce")
	var notes []string
	for _, e := range l.Events {
		if e.Phase == "i" && e.Category == "note" {
			notes = append(notes, e.Name)
		}
	}
	require.Equal(t, []string{"device 0 has no memory for 10485760 bytes: the cache released 6291456"}, notes)
}

func TestATimelineCanBeStartedAndStopped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "part of it.json")
	r := chost.Run(t, []string{soft}, host(t), "started", "10", file)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Len(t, r.Lines(), 1)
	l := readRecords(t, file)
	require.Equal(t, 10, l.count("mgpuLaunchKernel"))
	require.Equal(t, 10, l.count("saxpy"))
}

func TestATimelineIsNotStartedWithoutAFile(t *testing.T) {
	const refused = "'mgpuxTraceStart' failed with 'hipErrorInvalidValue': "
	r := chost.Run(t, []string{soft}, host(t), "refused")
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Equal(t, []string{refused + "no file name", refused + "no file name", refused + "/nowhere/t.json.part: no such file or directory"}, r.Lines())
}

func TestAChildOfForkWritesNothing(t *testing.T) {
	l, r := traced(t, []string{soft}, "fork", "10")
	require.Equal(t, 10, l.count("mgpuLaunchKernel"))
	require.Len(t, r.Lines(), 2, "the child's failed call and the parent's line: %s", r.Stderr)
}

func TestNoOtherFileIsOverwritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "t.json")
	require.NoError(t, os.WriteFile(file, []byte("precious"), 0o600))
	r := chost.Run(t, []string{soft, "MGPU_TRACE=" + file}, host(t), "lowered")
	require.Equal(t, "exit 0", r.End)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "precious", string(text))
	files, err := filepath.Glob(filepath.Join(dir, "t.*.json.part"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	readRecords(t, strings.TrimSuffix(files[0], ".part"))
}

func TestRanksHaveFilesOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	r := chost.Run(t, []string{soft, "MGPU_TRACE=" + filepath.Join(dir, "t.json"), "RANK=3", "WORLD_SIZE=4"}, host(t), "lowered")
	require.Equal(t, "exit 0", r.End)
	readRecords(t, filepath.Join(dir, "t.3.json"))
	r = chost.Run(t, []string{soft, "X=a/b", "MGPU_TRACE=" + filepath.Join(dir, "%env{X}-%r-%%.json"), "RANK=3", "WORLD_SIZE=4"}, host(t), "lowered")
	require.Equal(t, "exit 0", r.End)
	readRecords(t, filepath.Join(dir, "a_b-3-%.json"))
}

func TestAFileThatCannotBeMadeIsToldOnce(t *testing.T) {
	r := chost.Run(t, []string{soft, "MGPU_TRACE=/nowhere/t.json"}, host(t), "lowered")
	require.Equal(t, "exit 0", r.End)
	require.Equal(t, []string{"mgpu: trace: MGPU_TRACE=/nowhere/t.json: /nowhere/t.json.part: no such file or directory"}, r.Lines())
}

func TestTheLimitCountsWhatIsLost(t *testing.T) {
	l, _ := traced(t, []string{soft, "MGPU_TRACE_LIMIT=256KiB"}, "lowered", "1000")
	require.Positive(t, l.Other.Lost)
	require.Equal(t, 1, l.count("driver ModuleLoad"), "the beginning is there")
	l, _ = traced(t, []string{soft, "MGPU_TRACE_LIMIT=last:256KiB"}, "lowered", "1000")
	require.Zero(t, l.Other.Lost)
	require.Zero(t, l.count("driver ModuleLoad"), "the beginning was overwritten")
	require.Greater(t, l.count("mgpuLaunchKernel"), 100)
	last := 0.0
	for _, e := range l.Events {
		if n, ok := e.Args["call"].(float64); ok {
			last = max(last, n)
		}
	}
	require.EqualValues(t, 7002, last, "the end is there")
}

func TestACommandThatRecordsMakesTheTimeline(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t of it.json")
	run := func(args ...string) chost.Result {
		return chost.Run(t, []string{soft}, chost.Command(t), append([]string{"run", "--trace=" + file}, args...)...)
	}
	r := run(host(t), "lowered", "10")
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Len(t, r.Lines(), 2, r.Stderr)
	require.Regexp(t, `^mgpu: trace: `+file+`: \d+ events, 1 thread, 1 stream, 0 lost, \d+ bytes$`, r.Lines()[1])
	require.NoFileExists(t, file+".part")
	require.Equal(t, 10, read(t, file).count("mgpuLaunchKernel"))

	r = run("sh", "-c", `"$0" lowered; exit 7`, host(t)) // not the shell's own records
	require.Equal(t, "exit 7", r.End, r.Stderr)
	require.Regexp(t, `mgpu: --trace: process \d+ left no records: `, r.Stderr)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(file), "t of it.*.json.part"))
	require.NoError(t, err)
	require.Len(t, files, 1, "those of the program that the shell started: %s", r.Stderr)
}

// The command passes its signals to the program, and exits like a shell.
func TestACommandThatRecordsPassesSignalsOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.json")
	c := exec.Command(chost.Command(t), "run", "--trace="+file, host(t), "endless", "10")
	c.Env = append(os.Environ(), soft)
	said, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	_, err = bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	_ = c.Wait()
	require.Equal(t, 128+int(syscall.SIGTERM), c.ProcessState.ExitCode())
	require.GreaterOrEqual(t, read(t, file).count("mgpuLaunchKernel"), 10)
}

// However a process ends, its records exist.
func TestRecordsSurviveAKill(t *testing.T) {
	program, kills := host(t), 2
	if chost.Long() {
		kills = 5
	}
	for i := range kills {
		file := filepath.Join(t.TempDir(), "t.json")
		cmd := exec.Command(program, "endless", "50")
		cmd.Env = append(os.Environ(), soft, "MGPU_TRACE="+file)
		said, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = bufio.NewReader(said).ReadString('\n')
		require.NoError(t, err)
		time.Sleep(time.Duration(i) * 777 * time.Microsecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		require.NoFileExists(t, file)
		l := readRecords(t, file)
		require.GreaterOrEqual(t, l.count("mgpuLaunchKernel"), 50)
		require.GreaterOrEqual(t, l.count("saxpy"), 50)
	}
}
