package suites

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const suiteProgram = "suite-of-100"

// script returns a script's text. Tests run copies: the go command takes a result from its cache unless a file that a
// test has read is another one.
func script(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../scripts/" + name)
	require.NoError(t, err)
	return string(text)
}

// This binary, under another name, is a program of googletest for TestSuitesAreCounted.
func init() {
	if filepath.Base(os.Args[0]) == suiteProgram {
		runSuiteOf100()
	}
}

// runSuiteOf100 behaves as a program of 100 tests and a disabled one does: case 13 fails, case 15 skips itself, case 17
// does not end, case 18 waits for a child that does not end, and case 19 ends the program.
func runSuiteOf100() {
	if len(os.Args) > 1 && os.Args[1] == "--gtest_list_tests" {
		fmt.Println("Running main()\nmany/Suite.\n  DISABLED_case/0  # GetParam() = 0")
		for n := range 100 {
			fmt.Printf("  case/%d  # GetParam() = %d\n", n, n)
		}
		fmt.Println("DISABLED_many/Suite.\n  case/0")
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "--child" {
		spin()
	}
	shards, _ := strconv.Atoi(os.Getenv("GTEST_TOTAL_SHARDS"))
	shard, _ := strconv.Atoi(os.Getenv("GTEST_SHARD_INDEX"))
	fmt.Printf("[==========] Running %d tests from 1 test suite.\n", (100-shard+shards-1)/shards)
	for n := shard; n < 100; n += shards {
		name := fmt.Sprintf("many/Suite.case/%d", n)
		fmt.Printf("[ RUN      ] %s\n", name)
		result := "      OK"
		switch n {
		case 13:
			result = " FAILED "
		case 15:
			result = " SKIPPED"
		case 18:
			child := exec.Command("/proc/self/exe", "--child")
			child.Args[0] = suiteProgram
			if child.Run() != nil {
				os.Exit(3)
			}
		case 19:
			os.Exit(3)
		}
		if n == 17 {
			spin()
		}
		fmt.Printf("[ %s ] %s (0 ms)\n", result, name)
	}
	os.Exit(0)
}

// spin takes processor time until the process is killed.
func spin() {
	for turns := 0; ; turns++ {
		runtime.KeepAlive(turns)
	}
}

// TestSuitesAreCounted runs scripts/test-suites over a program whose tests end in every way.
func TestSuitesAreCounted(t *testing.T) {
	house := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(house, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o755))
	}
	write("scripts/test-suites", script(t, "test-suites"))
	write("scripts/debian-suite", "#!/bin/sh\n")
	write("scripts/inside", "#!/bin/bash\nroot=$1 program=$3\nshift 3\nexec env -u LD_PRELOAD \"$root$program\" \"$@\"\n")
	write("build/rocm/libmgpu_kfd.so", "")
	folder := "usr/libexec/rocm/libfake-tests/"
	write("build/tests-trixie/packages/libfake-tests=1", folder+suiteProgram+"\n")
	self, err := os.ReadFile("/proc/self/exe")
	require.NoError(t, err)
	write("build/tests-trixie/"+folder+suiteProgram, string(self))

	run := func(variables ...string) string {
		c := exec.Command(filepath.Join(house, "scripts/test-suites"), "fake")
		c.Env = append(append(os.Environ(), "BUILD=build", "SUITE=trixie", "CHIP=gfx906"), variables...)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 10 && f[2] == suiteProgram {
				return strings.Join(f[3:9], " ")
			}
		}
		assert.Fail(t, "no row", "%s", out)
		return ""
	}
	// Tests, chosen, passed, failed, refused, too slow. The parts of four are those with equal remainders.
	assert.Equal(t, "100 100 35 22 1 42", run("LIMIT=2", "PARTS=4"),
		"the part with 13 and 17 is cut off, and so is that with 18; of the part with 15 and 19, those from 19 on fail")
	assert.Equal(t, "100 12 11 1 0 0", run("SHARDS=8", "SHARD=5"), "tests 5, 13, 21, ...")
	assert.Equal(t, "100 20 19 0 1 0", run("SAMPLE=30", "SEED=10"), "every fifth, since five is the first prime from four on: tests 0, 5, 10, ...")
	assert.Equal(t, "100 0 0 0 0 0", run("TIME=0"), "no time is left")

	// Between the second time that a run takes and what it makes of it, a run on another chip takes two seconds.
	write("path/awk", `#!/bin/bash
mkdir "$HOUSE/first" 2>/dev/null || ! mkdir "$HOUSE/second" 2>/dev/null ||
	CHIP=gfx90a LIMIT=2 TIME= SHARD=17 SHARDS=100 "$HOUSE/scripts/test-suites" fake >/dev/null 2>&1
PATH=${PATH#*:} exec awk "$@"
`)
	assert.Equal(t, "100 12 11 1 0 0", run("SHARDS=8", "SHARD=5", "TIME=1", "HOUSE="+house, "PATH="+filepath.Join(house, "path")+":"+os.Getenv("PATH")),
		"runs side by side have times of their own")
}

// TestPackagesOfASuite runs scripts/debian-suite with an apt whose mirror lacks a source that its lists have.
func TestPackagesOfASuite(t *testing.T) {
	house := t.TempDir()
	for name, text := range map[string]string{
		"debian-suite":   script(t, "debian-suite"),
		"debian.sources": "URIs: http://mirror\nSigned-By: key\n",
		"ls":             "#!/bin/sh\necho \"$HOUSE/debian.sources\"\n",
		"apt-get": `#!/bin/bash
mkdir "$HOUSE/busy" || touch "$HOUSE/two"
sleep 0.1
rmdir "$HOUSE/busy"
[[ " $* " != *" source "* ]] || { echo "E: Failed to fetch http://mirror/fake_1.debian.tar.xz  404  Not Found [IP: 1.2.3.4 80]"; exit 100; }
`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(house, name), []byte(text), 0o755))
	}
	run := func() string {
		c := exec.Command(filepath.Join(house, "debian-suite"), "sid", filepath.Join(house, "suite"), "src:fake")
		c.Env = append(os.Environ(), "HOUSE="+house, "PATH="+house+":"+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		assert.Error(t, err)
		return string(out)
	}
	other := make(chan string)
	go func() { other <- run() }()
	for _, out := range []string{run(), <-other} {
		assert.Equal(t, "debian-suite: no source of fake in sid: the mirror does not have http://mirror/fake_1.debian.tar.xz\n", out)
	}
	assert.NoFileExists(t, filepath.Join(house, "two"), "two runs on one folder wait for each other")
}
