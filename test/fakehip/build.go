package fakehip

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// buildFolder is the folder of everything that is built.
func buildFolder() string {
	if build := os.Getenv("BUILD"); build != "" {
		return build
	}
	return filepath.Join(chost.Root(), "build")
}

// built is the folder that the library is built in, once per process.
var built = sync.OnceValues(func() (string, error) {
	return filepath.Join(buildFolder(), "test", "fakehip"), makeAll(buildFolder())
})

// builtOverCUDA is the same for the library over CUDA.
var builtOverCUDA = sync.OnceValues(func() (string, error) {
	return filepath.Join(buildFolder(), "test", "fakehip-cuda"), makeAll(buildFolder(), "fakehip-cuda")
})

// makeAll builds the library and its modules below a folder. Test processes that
// do so at the same time wait for each other.
func makeAll(build string, args ...string) error {
	if err := os.MkdirAll(build, 0o755); err != nil {
		return err
	}
	line := append([]string{filepath.Join(build, ".fakehip.lock"), "make", "-s", "-f", "test/fakehip/build.mk", "fakehip", "BUILD=" + build}, args...)
	cmd := exec.Command("flock", line...)
	cmd.Dir = chost.Root()
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MAKE") && !strings.HasPrefix(v, "MFLAGS") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return &buildError{err, out.String()}
	}
	return nil
}

type buildError struct {
	err    error
	output string
}

func (e *buildError) Error() string { return "make fakehip: " + e.err.Error() + "\n" + e.output }
func (e *buildError) Unwrap() error { return e.err }

// Library builds the library, if it is not up to date, and returns its path: what
// MGPU_HIP_LIBRARY may be set to.
func Library(t testing.TB) string {
	t.Helper()
	return folder(t) + "/libamdhip64.so.6"
}

// overCUDA names an environment variable: the library over CUDA, built on another
// machine.
const overCUDA = "MGPU_TEST_HIP_CUDA"

// LibraryOverCUDA is Library for the one whose functions are made of libcuda's
// (cuda/), so that the HIP driver runs on NVIDIA GPUs, its images being PTX. It is
// the one that MGPU_TEST_HIP_CUDA names, if that is set.
func LibraryOverCUDA(t testing.TB) string {
	t.Helper()
	if path := os.Getenv(overCUDA); path != "" {
		return path
	}
	dir, err := builtOverCUDA()
	if err != nil {
		t.Fatal(err)
	}
	return dir + "/libamdhip64.so.6"
}

func folder(t testing.TB) string {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Images are the kernels of the conformance suite as modules of the library.
func Images(t testing.TB) drivertest.Images {
	t.Helper()
	dir := folder(t)
	read := func(name string) []byte {
		image, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return image
	}
	return images{read("suite.bundle"), read("other.bundle"), read("wrong.bundle")}
}

type images struct{ kernels, other, wrong []byte }

func (i images) Kernels() []byte   { return i.kernels }
func (i images) Other() []byte     { return i.other }
func (i images) WrongArch() []byte { return i.wrong }
