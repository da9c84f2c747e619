package abi

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// The drivers that need no device.
const (
	soft = "MGPU_DRIVER=soft"
	null = "MGPU_DRIVER=null"
)

func source(name string) []string { return []string{filepath.Join("hosts", name)} }

// linked builds a host and links it against the library.
func linked(t *testing.T, name string, flags ...string) string {
	t.Helper()
	flags = append(flags, chost.Linked(chost.Library(t))...)
	testdata := filepath.Join(chost.Root(), "internal", "codeobj", "testdata")
	return chost.Build(t, strings.TrimSuffix(name, filepath.Ext(name)), source(name),
		append(flags, `-DTESTDATA="`+testdata+`"`)...)
}

// clean requires that a run ended with status 0 and printed nothing on standard error.
func clean(t *testing.T, r chost.Result) {
	t.Helper()
	require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
	require.Empty(t, r.Stderr, r.Stdout)
}

func TestHeaderCompilesStrictly(t *testing.T) {
	strict := []string{"-Wall", "-Wextra", "-Werror", "-pedantic", "-Wstrict-prototypes"}
	chost.Build(t, "c11", source("header.c"), append(strict, "-std=c11")...)
	chost.Build(t, "c17", source("header.c"), append(strict, "-std=c17")...)
	strict[len(strict)-1] = "-Wold-style-cast"
	for _, std := range []string{"-std=c++17", "-std=c++20"} {
		chost.Build(t, "cxx", source("header.c"), append(strict, "-xc++", std)...)
	}
}

func TestProgramInCPlusPlus(t *testing.T) {
	r := chost.Run(t, []string{soft}, linked(t, "program.cpp", "-std=c++17", "-pedantic"))
	clean(t, r)
	require.Equal(t, "9 9\n", r.Stdout)
}

// stockForm is the form of the lines of MLIR's own wrappers.
var stockForm = regexp.MustCompile(`^'[^']+' failed with '[^']+'`)

// outcome is one case of a host that includes capture.h.
type outcome struct {
	name, value string
	lines       int
	text        string
}

func outcomes(t *testing.T, r chost.Result) []outcome {
	t.Helper()
	require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
	require.Regexp(t, `^(mgpu: calls that failed only because .*\n)?$`, r.Stderr)
	var all []outcome
	for _, line := range strings.Split(strings.TrimSuffix(r.Stdout, "\n"), "\n") {
		f := strings.SplitN(line, "\t", 4)
		require.Len(t, f, 4, line)
		n, err := strconv.Atoi(f[2])
		require.NoError(t, err, line)
		all = append(all, outcome{f[0], f[1], n, f[3]})
	}
	return all
}

// consequence is a case with the null handle of a failed load or look-up: it is only counted.
var consequence = regexp.MustCompile(`(?i)^null.*(Launch|GetFunction|Unload)|(Launch|GetFunction|Unload).*null$`)

// TestBadInput: each case prints one line in stock's form and returns null, and the next valid call works. A host's
// last case may be a valid one.
func TestBadInput(t *testing.T) {
	hosts := []struct{ name, valid string }{
		{"handles", ""}, {"images", "unaligned"}, {"names", "known"}, {"launches", "afterwards"},
	}
	for _, host := range hosts {
		path := linked(t, host.name+".c")
		for _, cache := range []string{"on", "off"} {
			t.Run(host.name+" with cache "+cache, func(t *testing.T) {
				all := outcomes(t, chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, path))
				for _, o := range all {
					t.Run(o.name, func(t *testing.T) {
						if o.name == host.valid {
							require.Equal(t, "value", o.value)
							return
						}
						require.Equal(t, "null", o.value)
						if o.lines == 0 && consequence.MatchString(o.name) {
							return
						}
						require.Equal(t, 1, o.lines, o.text)
						require.Regexp(t, stockForm, o.text)
					})
				}
			})
		}
	}
}

func TestErrorsCanAbort(t *testing.T) {
	r := chost.Run(t, []string{soft, "MGPU_ON_ERROR=abort"}, linked(t, "abort.c"))
	require.Equal(t, "signal: aborted", r.End)
	require.Len(t, r.Lines(), 1)
	require.Regexp(t, stockForm, r.Stderr)
}

func TestSixtyFourThreadsAtOnce(t *testing.T) {
	r := chost.Run(t, []string{soft}, linked(t, "threads.c"))
	clean(t, r)
	require.Equal(t, "wrong: 0\n", r.Stdout)
}

func TestCallsAtEveryPointOfAProcess(t *testing.T) {
	host := linked(t, "life.c")
	want := "constructor: 7, kernel found\nmain: 7, kernel found\nhandler registered last: 7, kernel found\n" +
		"handler registered first: 7, kernel found\ndestructor: 7, kernel found\n"
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host)
		clean(t, r)
		require.Equal(t, want, r.Stdout)
		r = chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host, "with a thread that never stops")
		clean(t, r)
		require.Equal(t, want, r.Stdout)
	}
}

func TestStatisticsArePrintedOnceAtExit(t *testing.T) {
	r := chost.Run(t, []string{soft, "MGPU_STATS=1"}, linked(t, "life.c"))
	require.Equal(t, "exit 0", r.End)
	require.Equal(t, 1, strings.Count(r.Stderr, "mgpuStreamCreate"), r.Stderr)
	require.Regexp(t, `(?m)^ *mgpuModuleUnload +1 `, r.Stderr, "the destructor's call is counted")
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, timing := range []string{"MGPU_STATS=", "MGPU_STATS=1"} {
		r := chost.Run(t, []string{null, timing}, linked(t, "allocations.c"))
		require.Equal(t, "exit 0", r.End, r.Stderr)
		n, err := strconv.Atoi(strings.TrimSpace(r.Stdout))
		require.NoError(t, err)
		require.Less(t, n, 1000, "objects for a million calls")
	}
}

func TestTwoProgramsInOneBuffer(t *testing.T) {
	want := strings.Repeat("1 2 3 4\n10 20 30 40\n10 20 30 40\n", 3)
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, linked(t, "jit.c"))
		clean(t, r)
		require.Equal(t, want, r.Stdout)
	}
}

// plugins builds two libraries that differ only in the constants of their kernels.
func plugins(t *testing.T, name string, flags ...string) []string {
	t.Helper()
	image, err := os.ReadFile(filepath.Join(chost.Root(), "internal", "codeobj", "testdata", "v5.hsaco"))
	require.NoError(t, err)
	var built []string
	for _, factors := range [][]byte{{1, 2, 3, 4}, {10, 20, 30, 40}} {
		patched := bytes.Replace(image, words(1, 2, 3, 4), words(factors...), 1)
		file := filepath.Join(t.TempDir(), "blob")
		require.NoError(t, os.WriteFile(file, patched, 0o600))
		built = append(built, chost.Build(t, "plugin.so", source(name), append(flags, "-shared", "-fPIC", `-DBLOB_FILE="`+file+`"`)...))
	}
	return built
}

// A load uses the bytes in memory, even if they are constants of an object.
func TestConstantsThatTheProgramPatchesAreLoadedAnew(t *testing.T) {
	host := linked(t, "patched.c")
	want := strings.Repeat(strings.Repeat("1 2 3 4\n", 3)+strings.Repeat("10 20 30 40\n", 3), 3)
	for _, cache := range []string{"on", "off"} {
		for _, library := range [][]string{nil, plugins(t, "plugin.c")[:1]} {
			r := chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host, library...)
			clean(t, r)
			require.Equal(t, want, r.Stdout, library)
		}
	}
}

// Two plugins are loaded alternately at one address.
func TestImagesOfUnloadedLibrariesAreForgotten(t *testing.T) {
	host, plugins := linked(t, "plugins.c"), plugins(t, "plugin.c")
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host, plugins...)
		clean(t, r)
		round := "1 2 3 4\n1 2 3 4\n10 20 30 40\n10 20 30 40\n"
		require.Equal(t, strings.Repeat(round, 3)+"moved: 0\n", r.Stdout)
	}
}

func TestImagesOfUnloadedLibrariesAreForgottenUnderNamespaces(t *testing.T) {
	round := strings.Repeat("1 2 3 4\n", 3) + strings.Repeat("10 20 30 40\n", 3)
	t.Run("that come and go", func(t *testing.T) {
		// Only in a namespace, libm is loaded and unloaded with the filler.
		needs := []string{"-Wl,--no-as-needed", "-lm"}
		host := linked(t, "namespace_base.c", needs...)
		filler := chost.Build(t, "filler.so", source("header.c"), append(needs, "-shared", "-fPIC")...)
		r := chost.Run(t, []string{soft}, host, append(plugins(t, "plugin.c"), filler)...)
		require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
		require.Equal(t, strings.Repeat(round, 2)+"moved: 0\n", r.Stdout)
		if r.Stderr != "" {
			t.Skip(r.Stderr)
		}
	})
	t.Run("of the library's own", func(t *testing.T) {
		library := chost.Library(t)
		host := chost.Build(t, "namespace_own", source("namespace_own.c"), "-ldl")
		r := chost.Run(t, []string{soft}, host, plugins(t, "namespace_plugin.c", chost.Linked(library)...)...)
		clean(t, r)
		require.Equal(t, strings.Repeat(round, 3)+"moved: 0\n", r.Stdout)
	})
}

// words are 32-bit little-endian numbers.
func words(values ...byte) []byte {
	var b []byte
	for _, v := range values {
		b = append(b, v, 0, 0, 0)
	}
	return b
}

// C resolves a kernel name that was resolved before; the results must be the same.
func TestResolvedNamesEndWithTheirModule(t *testing.T) {
	const want = `again: same
other name: other
same text elsewhere: same
text changed in place: other
after one of two unloads: same
after the last unload: %s
loaded again: found
calls 9 driver calls %s
`
	host := linked(t, "resolved.c")
	r := chost.Run(t, []string{soft}, host)
	clean(t, r)
	require.Equal(t, fmt.Sprintf(want, "found", "3 hits 6 misses 3"), r.Stdout, "the cache keeps the module")
	r = chost.Run(t, []string{soft, "MGPU_CACHE=off"}, host)
	require.Equal(t, fmt.Sprintf(want, "none", "9 hits 0 misses 0"), r.Stdout)
	require.Len(t, r.Lines(), 1, r.Stderr)
	require.Regexp(t, stockForm, r.Stderr)
}

// A thread that unloads a module keeps it for its next load. Only the driver's calls may differ.
func TestModulesKeptByAThreadAreTheProgramsAgain(t *testing.T) {
	host := linked(t, "reloaded.c")
	for _, c := range []struct{ cache, load, unload string }{
		{"on", "calls 1152 driver calls 3", "calls 1153 driver calls 0"},
		{"off", "calls 1152 driver calls 1152", "calls 1153 driver calls 1152"},
	} {
		r := chost.Run(t, []string{soft, "MGPU_CACHE=" + c.cache}, host)
		require.Contains(t, r.Stderr, "mgpuModuleLoad: "+c.load+"\n")
		require.Contains(t, r.Stderr, "mgpuModuleUnload: "+c.unload+"\n")
		r.Stderr = ""
		all := outcomes(t, r)
		require.Len(t, all, 2)
		for _, o := range all {
			require.Equal(t, 1, o.lines, o.text)
			require.Regexp(t, stockForm, o.text)
		}
	}
}

func TestModulesUnloadedByOtherThreadsAreCounted(t *testing.T) {
	host := linked(t, "borrowed.c")
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host)
		if cache == "off" { // handles differ, since the driver makes every load
			require.Equal(t, "exit 0", r.End, r.Stderr)
			continue
		}
		for _, o := range outcomes(t, r) {
			if strings.HasPrefix(o.name, "fine: ") {
				require.Zero(t, o.lines, "%s: %s", o.name, o.text)
				continue
			}
			require.Equal(t, 1, o.lines, o.name)
			require.Regexp(t, `^'mgpuModuleUnload' failed with 'hipErrorInvalidHandle': module 0x\w+ was unloaded before$`, o.text)
		}
	}
}

func TestCallersOfOldReleases(t *testing.T) {
	r := chost.Run(t, []string{soft}, linked(t, "old.c"))
	clean(t, r)
	require.Equal(t, "loads: 1 1\n"+strings.Repeat("1 1234 1234\n", 6)+"kernel: 13\n", r.Stdout)
}

func TestStatistics(t *testing.T) {
	r := chost.Run(t, []string{null}, linked(t, "stats.c"))
	clean(t, r)
	require.Equal(t, `known 1 filled 1 untouched 1
driver null device nothing cache 1 calls 2
older: size 16 functions 1, next 1
null: 1
mgpuStreamCreate: 1
mgpuStreamDestroy: 1
past the end: 0
`, r.Stdout)
}

// The calls for refusals return what the table has.
func TestReasonsAgainstSharing(t *testing.T) {
	r := chost.Run(t, []string{soft, "MGPU_STATS=1"}, linked(t, "stats.c"), "refusals")
	require.Equal(t, "exit 0", r.End, r.Stderr)
	lines := strings.Split(strings.TrimSpace(r.Stdout), "\n")
	require.Len(t, lines, 5, r.Stdout)
	require.Equal(t, "no refusal: 0 1", lines[0])
	require.Equal(t, []string{"size 1 older 1 filled 1 untouched 1", "untouched 1"}, lines[3:])
	table := r.Lines()
	require.Equal(t, table[len(table)-2:], lines[1:3])
	var times []string
	for _, l := range lines[1:3] {
		require.Regexp(t, `^not shared, (1 time|3 times): .{10,}`, l)
		times = append(times, l[12:13])
	}
	require.ElementsMatch(t, []string{"1", "3"}, times)
}

func TestWaitsHappenInC(t *testing.T) {
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{null, "MGPU_TEST_NULL_KERNEL_US=50000", "MGPU_CACHE=" + cache}, linked(t, "blocking.c"))
		clean(t, r)
		require.Contains(t, r.Stdout, "event waited 1\nstream waited 1\n")
		require.Contains(t, r.Stdout, "mgpuStreamSynchronize: calls 2 driver calls 2\n")
		require.Contains(t, r.Stdout, "mgpuEventSynchronize: calls 1 driver calls 1\n")
		clean(t, chost.Run(t, []string{null, "MGPU_TEST_NULL_KERNEL_US=2000000000", "MGPU_CACHE=" + cache}, linked(t, "blocking.c"), "other"))
	}
}

func TestPreloadTakesTheStockWrappersPlace(t *testing.T) {
	library := chost.Library(t)
	wrapper := chost.Build(t, "libstock.so", source("wrapper.c"), "-shared", "-fPIC")
	program := chost.Build(t, "program", source("program.c"), chost.Linked(wrapper)...)
	r := chost.Run(t, nil, program)
	clean(t, r)
	require.Equal(t, "stock\nnone\n", r.Stdout)
	r = chost.Run(t, []string{null, "LD_PRELOAD=" + library}, program)
	clean(t, r)
	require.Equal(t, "null\n", r.Stdout)
}

func TestChoiceOfDriverIsExplained(t *testing.T) {
	program := linked(t, "program.c")
	r := chost.Run(t, []string{"MGPU_DRIVER=vulkan"}, program)
	require.Equal(t, "exit 0", r.End)
	const further = "mgpu: further calls that failed because no driver could be opened: mgpuStreamDestroy 1"
	require.Equal(t, []string{"'mgpuStreamCreate' failed with 'MGPU_DRIVER=vulkan: expected hip, cuda, soft or null'", further}, r.Lines())
	r = chost.Run(t, []string{soft, "MGPU_SOFT_CHIP=gfx1"}, program)
	const unknown = "failed with 'MGPU_SOFT_CHIP=gfx1: no such chip; there are gfx900, gfx906, gfx908, gfx90a, gfx942, gfx950, gfx1030, gfx1031, gfx1032, gfx1033, gfx1034, gfx1035, gfx1036, gfx1100, gfx1101, gfx1102, gfx1103, gfx1150, gfx1151, gfx1200, gfx1201, gfx1250, gfx1251'"
	require.Equal(t, []string{"'mgpuStreamCreate' " + unknown, further}, r.Lines())
	for _, env := range []string{"MGPU_SOFT_CHIP=gfx1", "MGPU_SOFT_MEMORY=-1", "MGPU_CHECK=meory", "MGPU_SOFT_DEVICES=0"} {
		r = chost.Run(t, []string{env}, program)
		require.True(t, strings.HasPrefix(r.Stderr, "'mgpuStreamCreate' failed with '"+env+": "), r.Stderr)
	}
}

func TestFallingBackToTheSoftwareGPUIsSaidOnce(t *testing.T) {
	r := chost.Run(t, nil, linked(t, "program.c"))
	require.Equal(t, "soft\n", r.Stdout)
	require.Len(t, r.Lines(), 1, r.Stderr)
	require.Contains(t, r.Stderr, "no GPU")
}
