package drivertest

import (
	"bytes"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

//go:embed testdata/kernels_nvidia.c
var nvidiaSource []byte

// compiled names an environment variable: the folder of images that were compiled
// on another machine, for one that has no compiler.
const compiled = "MGPU_TEST_IMAGES"

// BuildNVIDIA compiles the suite's kernels to PTX for an architecture ("sm_90"), or
// takes them from the folder that MGPU_TEST_IMAGES names. Without the compiler the
// calling test is skipped.
func BuildNVIDIA(t testing.TB, arch string) Images {
	t.Helper()
	other := "sm_100"
	if arch != "sm_90" {
		other = "sm_90a"
	}
	return ptxImages{
		kernels: ptx(t, "kernels."+arch+".ptx", arch, "0"),
		other:   ptx(t, "other."+arch+".ptx", arch, "1"),
		wrong:   ptx(t, "kernels."+other+".ptx", other, "0"),
	}
}

func ptx(t testing.TB, name, arch, variant string) []byte {
	if folder := os.Getenv(compiled); folder != "" {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err == nil {
			return text
		}
	}
	path, err := exec.LookPath(compiler)
	if err != nil {
		t.Skipf("%s is not installed: no PTX for %s", compiler, arch)
	}
	dir := t.TempDir()
	source, out := filepath.Join(dir, "kernels.c"), filepath.Join(dir, name)
	if err := os.WriteFile(source, nvidiaSource, 0o600); err != nil {
		t.Fatal(err)
	}
	feature := "+ptx80"
	if arch == "sm_100" {
		feature = "+ptx86"
	}
	text, err := exec.Command(path, "-std=c11", "-ffreestanding", "-nogpulib", "-O2", "-target", "nvptx64-nvidia-cuda", "-march="+arch,
		"-Xclang", "-target-feature", "-Xclang", feature, "-DOTHER="+variant, "-S", "-o", out, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, text)
	}
	text, err = os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return append(bare(text), 0)
}

// bare is PTX without lines that say nothing: tests change and cut images, and a
// comment could hold anything.
func bare(text []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(text) {
		if said := bytes.TrimSpace(line); len(said) > 0 && !bytes.HasPrefix(said, []byte("//")) {
			kept = append(kept, line...)
		}
	}
	return kept
}

type ptxImages struct{ kernels, other, wrong []byte }

func (i ptxImages) Kernels() []byte   { return i.kernels }
func (i ptxImages) Other() []byte     { return i.other }
func (i ptxImages) WrongArch() []byte { return i.wrong }
