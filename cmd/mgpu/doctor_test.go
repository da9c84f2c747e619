package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/include"
	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func opens(name string) opener {
	return opener{name, func(func(string) string) (driver.Driver, error) { return null.Open(null.Options{}), nil }}
}

func fails(name string) opener {
	return opener{name, func(func(string) string) (driver.Driver, error) { return nil, errors.New("no lib" + name) }}
}

func newDoctor(env []string, openers ...opener) (*doctor, *bytes.Buffer) {
	out := new(bytes.Buffer)
	return &doctor{out: out, env: env, openers: openers, limit: func() uint64 { return 1 << 40 }}, out
}

func TestDriversAndWhichOneIsTaken(t *testing.T) {
	d, out := newDoctor(nil, fails("hip"), opens("cuda"), opens("soft"))
	d.drivers()
	assert.Equal(t, "drivers\n  hip can't be opened: no libhip\n  cuda opens: programs use it\n    device 0: nothing\n  soft opens\n    device 0: nothing\n", out.String())
	require.NoError(t, d.verdict())

	d, out = newDoctor(nil, fails("hip"), opens("soft"))
	d.drivers()
	assert.Contains(t, out.String(), "soft opens: programs use it")
	assert.Contains(t, out.String(), "no GPU was found")
	require.NoError(t, d.verdict())

	d, out = newDoctor([]string{"MGPU_DRIVER=hip"}, fails("hip"), opens("soft"))
	d.drivers()
	assert.Contains(t, out.String(), "! hip can't be opened, and is asked for: no libhip")
	assert.NotContains(t, out.String(), "programs use it")
	require.EqualError(t, d.verdict(), "1 problem: see the line that begins with \"!\"")

	d, out = newDoctor([]string{"MGPU_CHECK=memory"}, opens("cuda"), opens("soft"))
	d.drivers()
	assert.Contains(t, out.String(), "soft opens: programs use it", "checking is the software GPU's")
	d, out = newDoctor([]string{"MGPU_CHECK=off"}, opens("cuda"), opens("soft"))
	d.drivers()
	assert.Contains(t, out.String(), "cuda opens: programs use it", "nothing is to be checked")
	for _, name := range []string{"hip", "cuda", "null"} {
		d, out = newDoctor([]string{"MGPU_CHECK=memory,race", "MGPU_DRIVER=" + name}, opens("hip"), opens("cuda"), opens("soft"))
		d.drivers()
		assert.Contains(t, out.String(), "! MGPU_CHECK=memory,race is ignored: with MGPU_DRIVER="+name+" nothing is checked\n")
		require.Error(t, d.verdict())
		d, _ = newDoctor([]string{"MGPU_CHECK=off", "MGPU_DRIVER=" + name}, opens("hip"), opens("cuda"), opens("soft"))
		d.drivers()
		require.NoError(t, d.verdict())
	}
	d, out = newDoctor(nil, fails("hip"), fails("soft"))
	d.drivers()
	assert.Equal(t, "drivers\n  hip can't be opened: no libhip\n  soft can't be opened: no libsoft\n  ! no driver opens: every call of a program fails\n", out.String())
	d, out = newDoctor([]string{"MGPU_DRIVER=null"}, opens("soft"))
	d.drivers()
	assert.Contains(t, out.String(), "null does nothing")
}

func TestDriversOfThisMachine(t *testing.T) {
	d, out := newDoctor([]string{"MGPU_SOFT_CHIP=gfx90a", "MGPU_SOFT_DEVICES=2", "MGPU_DRIVER=soft"}, openers()...)
	d.drivers()
	assert.Regexp(t, `(?m)^  hip (opens|can't be opened: .+)$`, out.String())
	assert.Regexp(t, `(?m)^  cuda (opens|can't be opened: .+)$`, out.String())
	assert.Contains(t, out.String(), "  soft opens: programs use it\n    device 0: gfx90a (software)\n    device 1: gfx90a (software)\n")
}

func TestSettingsThatADriverCannotBeOpenedWithHaveToBePutRight(t *testing.T) {
	for _, c := range []struct{ variable, why string }{
		{"MGPU_SOFT_CHIP=gfx1010", "no such chip; there are gfx900, gfx906, gfx908, gfx90a, gfx942, gfx950, gfx1030, gfx1031, gfx1032, gfx1033, gfx1034, gfx1035, gfx1036, gfx1100, gfx1101, gfx1102, gfx1103, gfx1150, gfx1151, gfx1200, gfx1201, gfx1250, gfx1251"},
		{"MGPU_SOFT_CHIP=gfx906:x", `unknown feature "x"; gfx906 has sramecc and xnack, each followed by + or -`},
		{"MGPU_SOFT_DEVICES=0", "expected a number from 1 to 64"},
		{"MGPU_SOFT_MEMORY=-1", "expected a number of bytes (8GiB)"},
		{"MGPU_SOFT_TIMEOUT=soon", "expected a number of seconds (90) or a time (1m30s)"},
		{"MGPU_CHECK=meory", `"meory" is not one of memory, strict, align, race, uninit, sync, wait, leak, all, off`},
		{"HIP_VISIBLE_DEVICES=1", "it hides all devices: there is 1 device, number 0"},
	} {
		for _, env := range [][]string{{c.variable}, {c.variable, "MGPU_DRIVER=soft"}, {c.variable, "MGPU_DRIVER=null"}} {
			d, out := newDoctor(env, opener{"soft", openSoft})
			d.drivers()
			d.settings(false)
			assert.Contains(t, out.String(), "drivers\n  soft can't be opened\n  ! "+c.variable+": "+c.why+"\n", env)
			assert.Equal(t, 1, d.problems, out.String())
		}
	}
	d, out := newDoctor([]string{"MGPU_DRIVER=vulkan"}, opens("soft"))
	d.drivers()
	d.settings(false)
	assert.Contains(t, out.String(), "drivers\n  ! MGPU_DRIVER=vulkan: expected hip, cuda, soft or null\n  soft opens\n")
	assert.Equal(t, 1, d.problems, out.String())
}

func TestFilesThatCannotBeWrittenHaveToBePutRight(t *testing.T) {
	folder := t.TempDir()
	d, out := newDoctor([]string{"MGPU_TRACE=/nope/x", "MGPU_STATS=" + folder, "MGPU_REPORT=/dev/null/%p"})
	d.files()
	assert.Equal(t, "  ! MGPU_STATS="+folder+": that is a folder\n  ! MGPU_REPORT=/dev/null/%p: there is no folder /dev/null\n"+
		"  ! MGPU_TRACE=/nope/x: there is no folder /nope\n", out.String())
	d, out = newDoctor([]string{"MGPU_TRACE=" + folder + "/%p.json", "MGPU_STATS=/dev/null", "MGPU_REPORT=off"})
	d.files()
	assert.Empty(t, out.String())
	pipe := filepath.Join(folder, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	set := []string{"MGPU_TRACE=" + pipe, "MGPU_STATS=" + pipe, "MGPU_REPORT=" + pipe}
	d, out = newDoctor(set)
	d.files()
	assert.Equal(t, "  ! MGPU_STATS="+pipe+": that is a pipe, not a file\n  ! MGPU_REPORT="+pipe+": that is a pipe, not a file\n"+
		"  ! MGPU_TRACE="+pipe+": that is not a regular file\n", out.String())
	link := filepath.Join(folder, "link")
	require.NoError(t, os.Symlink("nowhere", link))
	d, out = newDoctor([]string{"MGPU_STATS=/dev/stdout", "MGPU_REPORT=" + link})
	d.files()
	assert.Equal(t, "  ! MGPU_REPORT="+link+": that is a symbolic link: name the file that it leads to\n", out.String())
}

func TestHIPProgramsAreToldWhatTheyCouldRunOn(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "libamdhip64.so.6"), nil, 0o600))
	d, out := newDoctor(nil)
	d.rocm(func(string) (string, error) { return "/lib/rocm/" + driverName, nil }, []string{filepath.Join(dir, "libamdhip64.so.*")})
	assert.Contains(t, out.String(), "  /lib/rocm/libmgpu_kfd.so stands in for AMD's kernel driver\n")
	assert.Contains(t, out.String(), "libamdhip64.so.6, HIP 6, works with it\n")
	d, out = newDoctor(nil)
	d.rocm(func(string) (string, error) { return "", errors.New("no driver") }, []string{filepath.Join(t.TempDir(), "*")})
	assert.Contains(t, out.String(), "  no driver: "+whoHasDriver+"\n  no libamdhip64 in ")
	require.NoError(t, d.verdict())
}

func TestTheChosenDeviceIsSaid(t *testing.T) {
	d, out := newDoctor([]string{"MGPU_SOFT_DEVICES=2", "MGPU_DRIVER=soft", "MGPU_DEVICE=rank", "PMI_LOCAL_RANK=3"}, openers()...)
	d.drivers()
	assert.Contains(t, out.String(), "  threads begin with device 1 of 2 by MGPU_DEVICE=rank: PMI_LOCAL_RANK=3\n")
	d, out = newDoctor([]string{"MGPU_SOFT_DEVICES=4", "HIP_VISIBLE_DEVICES=2,3", "MGPU_DRIVER=soft", "MGPU_DEVICE=2"}, openers()...)
	d.drivers()
	assert.Contains(t, out.String(), "! MGPU_DEVICE=2: there are 2 devices, 0 to 1\n")
}

func TestDeviceFilesThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there")
	require.NoError(t, os.WriteFile(there, nil, 0o600))
	d, out := newDoctor(nil, opens("soft"))
	d.devices = []string{there, filepath.Join(dir, "nowhere"), dir} // a folder can't be opened for writing
	d.limit = func() uint64 { return 1 << 30 }
	d.drivers()
	assert.Contains(t, out.String(), there+" is there")
	assert.NotContains(t, out.String(), "nowhere")
	assert.Contains(t, out.String(), "! "+dir+" can't be used: open "+dir+": is a directory\n    users of AMD GPUs are in the groups render and video")
	assert.Contains(t, out.String(), "! ulimit -v is 1024 MiB")
	require.EqualError(t, d.verdict(), "2 problems: see the lines that begin with \"!\"")
}

func TestSettingsWithTheirValues(t *testing.T) {
	d, out := newDoctor([]string{"HOME=/", "MGPU_STATS=1", "MGPU_SOFT_TIMEOUT=1m", "MGPU_CACHE=no", "MGPU_CAHCE=off", "MGPU_OTHER_THINGS=1"})
	d.settings(false)
	assert.Contains(t, out.String(), "  MGPU_STATS=1\n    times each call")
	assert.Contains(t, out.String(), "  MGPU_SOFT_TIMEOUT=1m\n    after this time")
	assert.NotContains(t, out.String(), "MGPU_DRIVER")
	assert.Contains(t, out.String(), "  ! MGPU_CACHE=no is invalid, and the default is used: expected on or off\n  ! unknown setting MGPU_CAHCE: did you mean MGPU_CACHE?\n  ! unknown setting MGPU_OTHER_THINGS\n")
	assert.Equal(t, 3, d.problems)

	d, out = newDoctor([]string{"MGPU_STATS=1"})
	d.settings(true)
	assert.Regexp(t, `(?m)^  MGPU_STATS=1\n    times each call.*\n    values: 1 or a file`, out.String())
	assert.Contains(t, out.String(), "  MGPU_DRIVER (default: the first that has a device)\n    the only driver to try\n    values: hip, cuda, soft or null\n")
	d, out = newDoctor(nil)
	d.settings(false)
	assert.Contains(t, out.String(), "none set; --all lists all of them")
}

// shared builds a library that defines functions.
func shared(t *testing.T, path, soname string, functions ...string) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	var source strings.Builder
	for _, f := range functions {
		source.WriteString("void " + f + "(void) {}\n")
		if f == ourMark {
			source.WriteString("const char version[] = \"" + versionMark + include.Version() + "\";\n")
		}
	}
	build(t, cc, source.String(), "-shared", "-fPIC", "-o", path, "-Wl,-soname,"+soname)
}

func build(t *testing.T, cc, source string, flags ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "source.c")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
	out, err := exec.Command(cc, append([]string{file}, flags...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestLibrariesAreLookedInto(t *testing.T) {
	dir := t.TempDir()
	ours, stock, other := filepath.Join(dir, libraryName), filepath.Join(dir, "stock.so"), filepath.Join(dir, "other.so")
	shared(t, ours, libraryName+".22.1", append(needed, ourMark)...)
	shared(t, stock, "stock.so", needed...)
	shared(t, other, "other.so", "f")

	d, out := newDoctor(nil)
	d.library(ours, nil)
	assert.Contains(t, out.String(), ours+", SONAME "+libraryName+".22.1, version "+include.Version()+"\n")
	assert.Contains(t, out.String(), "! programs linked with it ask for "+libraryName+".22.1, and there is none beside it\n    ln -s ")
	require.NoError(t, os.Symlink(libraryName, ours+".22.1"))
	d, _ = newDoctor(nil)
	d.library(ours, nil)
	assert.Zero(t, d.problems)
	for path, want := range map[string]string{
		stock: "! it is another runtime", other: "! mgpuModuleLoad is not defined", dir: "! " + dir, filepath.Join(dir, "nowhere"): "no such file",
	} {
		d, out := newDoctor(nil)
		d.library(path, nil)
		assert.Contains(t, out.String(), want)
		assert.Equal(t, 1, d.problems)
	}
	d, out = newDoctor(nil)
	d.library("", errors.New("none found"))
	assert.Contains(t, out.String(), "! none found")
}

func TestWhatAProgramWouldLoad(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	require.NoError(t, os.Mkdir(first, 0o755))
	require.NoError(t, os.Mkdir(second, 0o755))
	shared(t, filepath.Join(first, libraryName), libraryName, needed...)
	shared(t, filepath.Join(second, libraryName), libraryName, append(needed, ourMark)...)
	cc, err := exec.LookPath("cc")
	require.NoError(t, err)
	const calls = "void mgpuStreamCreate(void); int main(void) { mgpuStreamCreate(); return 0; }"
	linked, bare, wild := filepath.Join(dir, "linked"), filepath.Join(dir, "bare"), filepath.Join(dir, "wild")
	build(t, cc, calls, "-o", linked, filepath.Join(second, libraryName), "-Wl,-rpath,$ORIGIN/second")
	build(t, cc, "int main(void) { return 0; }", "-o", bare)
	build(t, cc, calls, "-shared", "-fPIC", "-o", wild)
	shared(t, filepath.Join(first, "libamdhip64.so.5"), "libamdhip64.so.5", "hipMalloc")
	hip := filepath.Join(dir, "hip")
	build(t, cc, "void hipMalloc(void); int main(void) { hipMalloc(); return 0; }", "-o", hip, filepath.Join(first, "libamdhip64.so.5"))
	cut := filepath.Join(dir, "cut")
	whole, err := os.ReadFile(bare)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cut, whole[:5000], 0o600))

	for _, c := range []struct {
		program  string
		env      []string
		says     string
		problems int
	}{
		{linked, nil, "it asks for " + libraryName + " and gets " + filepath.Join(second, libraryName), 0},
		{linked, []string{"LD_LIBRARY_PATH=" + first}, "! it asks for " + libraryName + " and gets " + filepath.Join(first, libraryName) + ", which is another runtime\n    'mgpu run' preloads", 1},
		{linked, []string{"LD_LIBRARY_PATH=" + first, "LD_PRELOAD=" + filepath.Join(second, libraryName)}, "LD_PRELOAD puts " + filepath.Join(second, libraryName), 0},
		{bare, nil, "it is not linked with a runtime", 0},
		{hip, nil, "  it calls HIP, and no function of MLIR's runtime: 'mgpu run --rocm' runs it on the software GPU\n", 0},
		{wild, nil, "! it calls mgpuStreamCreate and 0 more, and asks for no library that has them", 1},
		{filepath.Join(dir, "nowhere"), nil, "! " + filepath.Join(dir, "nowhere") + ": no such file or directory\n", 1},
		{cut, nil, "! " + cut + ": the file ends before its ELF tables do\n", 1},
		{"doctor.go", nil, "! doctor.go: it is neither a program nor a library (no ELF file)\n", 1},
	} {
		d, out := newDoctor(c.env)
		d.program(c.program)
		assert.Contains(t, out.String(), c.says)
		assert.Equal(t, c.problems, d.problems, out.String())
	}
	require.NoError(t, os.RemoveAll(second))
	d, out := newDoctor(nil)
	d.program(linked)
	assert.Contains(t, out.String(), "! it asks for "+libraryName+", which is in none of "+second)
}

// TestCodeForAnotherChipIsNamed: a program's code against the chip of the software GPU.
func TestCodeForAnotherChipIsNamed(t *testing.T) {
	cc, err := exec.LookPath("cc")
	require.NoError(t, err)
	image, err := filepath.Abs("../../internal/codeobj/testdata/gfx1100.hsaco")
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "program")
	build(t, cc, `int main(void) { return 0; } __asm__(".section .rodata\n.balign 16\n.incbin \"`+image+`\"");`, "-o", program)

	d, out := newDoctor(nil, fails("hip"), opens("soft"))
	d.drivers()
	d.code(program)
	assert.Contains(t, out.String(), "  ! "+program+" has code for gfx1100, and device 0 is gfx906\n    set MGPU_SOFT_CHIP=gfx1100, or 'mgpu run --chip gfx1100'\n")
	assert.Equal(t, 1, d.problems)

	for _, d := range []*doctor{
		{env: []string{"MGPU_SOFT_CHIP=gfx1100"}, openers: []opener{opens("soft")}},
		{openers: []opener{opens("cuda"), opens("soft")}},
	} {
		d.out, d.limit = io.Discard, func() uint64 { return 1 << 40 }
		d.drivers()
		d.code(program)
		assert.Zero(t, d.problems)
	}
}

func TestTheCommandSaysItsVerdict(t *testing.T) {
	c := doctorCommand()
	library := filepath.Join(t.TempDir(), "nowhere.so")
	c.SetArgs([]string{"--library", library})
	c.SilenceErrors, c.SilenceUsage = true, true
	var out bytes.Buffer
	c.SetOut(&out)
	require.ErrorContains(t, c.Execute(), "problem")
	for _, part := range []string{"mgpu " + include.Version() + " (go", "library\n  ! --library=" + library + ": no such file or directory\n", "drivers\n", "settings\n"} {
		assert.Contains(t, out.String(), part)
	}
}
