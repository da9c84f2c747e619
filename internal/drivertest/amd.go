package drivertest

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

//go:embed testdata/kernels.c
var amdSource []byte

// compiler builds code objects for AMD GPUs without an SDK.
const compiler = "clang-22"

// BuildAMD compiles the suite's kernels for a chip ("gfx906"). Without the
// compiler the calling test is skipped.
func BuildAMD(t testing.TB, chip string) Images {
	t.Helper()
	path, err := exec.LookPath(compiler)
	if err != nil {
		t.Skipf("%s is not installed: no code objects for %s", compiler, chip)
	}
	other := "gfx1030"
	if chip == other {
		other = "gfx906"
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "kernels.c")
	if err := os.WriteFile(source, amdSource, 0o600); err != nil {
		t.Fatal(err)
	}
	build := func(name string, arg ...string) []byte {
		out := filepath.Join(dir, name)
		arg = append(arg, "-std=c11", "-ffreestanding", "-nogpulib", "-nostdlib", "-O2", "-target", "amdgcn-amd-amdhsa", "-o", out, source)
		if text, err := exec.Command(path, arg...).CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", compiler, arg, err, text)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return amdImages{
		kernels: build("kernels.hsaco", "-mcpu="+chip),
		other:   build("other.hsaco", "-mcpu="+chip, "-DOTHER=1"),
		wrong:   build("wrong.hsaco", "-mcpu="+other),
	}
}

type amdImages struct{ kernels, other, wrong []byte }

func (i amdImages) Kernels() []byte   { return i.kernels }
func (i amdImages) Other() []byte     { return i.other }
func (i amdImages) WrongArch() []byte { return i.wrong }
