package drivertest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// compiled names an environment variable: the folder of images that were compiled on another machine, for machines
// without a compiler.
const compiled = "MGPU_TEST_IMAGES"

// BuildNVIDIA compiles the suite's kernels to PTX for an architecture ("sm_90"), or reads them from the folder in
// MGPU_TEST_IMAGES. Without the compiler it skips the calling test.
func BuildNVIDIA(t testing.TB, arch string) Images {
	t.Helper()
	other := "sm_100"
	if arch != "sm_90" {
		other = "sm_90a"
	}
	return images{
		kernels: ptx(t, "kernels."+arch+".ptx", arch, "0"),
		other:   ptx(t, "other."+arch+".ptx", arch, "1"),
		wrong:   ptx(t, "kernels."+other+".ptx", other, "0"),
	}
}

func ptx(t testing.TB, name, arch, variant string) []byte {
	t.Helper()
	if folder := os.Getenv(compiled); folder != "" {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err == nil {
			return text
		}
	}
	feature := "+ptx80"
	if arch == "sm_100" {
		feature = "+ptx86"
	}
	text := compile(t, arch, variant, "-target", "nvptx64-nvidia-cuda", "-march="+arch, "-Xclang", "-target-feature", "-Xclang", feature, "-S")
	return append(bare(text), 0)
}

// bare removes comments and empty lines from PTX. Tests change and cut images, and a comment could contain anything.
func bare(text []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(text) {
		if said := bytes.TrimSpace(line); len(said) > 0 && !bytes.HasPrefix(said, []byte("//")) {
			kept = append(kept, line...)
		}
	}
	return kept
}
