package prototypes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// vendor is a driver's package, with the folders in which its vendor's header may be.
type vendor struct {
	name    string
	header  string
	folders []string // that a -I names
	// mistakes are wrong declarations: text in a file of the driver, and its replacement.
	mistakes []mistake
}

type mistake struct{ file, right, wrong string }

var vendors = []vendor{
	{"hip", "hip/hip_runtime_api.h", []string{"/usr/include", "/opt/rocm/include"}, []mistake{
		{"symbols.h", "hipMalloc, (void **address, size_t bytes)", "hipMalloc, (void **address, unsigned bytes)"},
		{"symbols.h", "hipSetDevice, (int device)", "hipSetDevice, (int device, int more)"},
		{"symbols.h", "const char *, hipGetErrorName", "hip_status, hipGetErrorName"},
		{"symbols.h", "hipStreamWaitEvent, (hipStream_t stream, hipEvent_t event, ", "hipStreamWaitEvent, (hipEvent_t event, hipStream_t stream, "},
		{"types.h", "hipErrorNotReady, 600", "hipErrorNotReady, 601"},
		{"types.h", "typedef void *hipDeviceptr_t", "typedef unsigned long hipDeviceptr_t"},
	}},
	{"cuda", "cuda.h", []string{os.Getenv("CUDA_HOME") + "/include", "/usr/include", "/usr/local/cuda/include"}, []mistake{
		{"symbols.h", "cuMemAlloc_v2, (CUdeviceptr *address, size_t bytes)", "cuMemAlloc_v2, (CUdeviceptr *address, unsigned bytes)"},
		{"symbols.h", "cuStreamWaitEvent, (CUstream stream, CUevent event, ", "cuStreamWaitEvent, (CUevent event, CUstream stream, "},
		{"types.h", "CUDA_ERROR_NOT_READY, 600", "CUDA_ERROR_NOT_READY, 601"},
		{"types.h", "unsigned shared;\n  CUstream stream;", "CUstream stream;\n  unsigned shared;"},
	}},
}

func TestDeclarationsAreTheVendors(t *testing.T) {
	for _, v := range vendors {
		t.Run(v.name, func(t *testing.T) {
			include := v.folder(t)
			driver := filepath.Join(chost.Root(), "internal", v.name)
			output, err := v.compile(include, driver)
			require.NoError(t, err, output)
		})
	}
}

func TestAWrongDeclarationDoesNotCompile(t *testing.T) {
	for _, v := range vendors {
		t.Run(v.name, func(t *testing.T) {
			include := v.folder(t)
			for _, m := range v.mistakes {
				dir := t.TempDir()
				for _, file := range []string{"symbols.h", "types.h"} {
					text, err := os.ReadFile(filepath.Join(chost.Root(), "internal", v.name, file))
					require.NoError(t, err)
					changed := string(text)
					if file == m.file {
						changed = strings.Replace(changed, m.right, m.wrong, 1)
						require.NotEqual(t, string(text), changed, "%s holds no %q", file, m.right)
					}
					require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(changed), 0o600))
				}
				_, err := v.compile(include, dir)
				require.Error(t, err, m.wrong)
			}
		})
	}
}

// folder returns the folder of the vendor's header. Without it the test is skipped.
func (v vendor) folder(t *testing.T) string {
	for _, f := range v.folders {
		if _, err := os.Stat(filepath.Join(f, v.header)); err == nil {
			return f
		}
	}
	t.Skipf("%s is not installed", v.header)
	return ""
}

func (v vendor) compile(include, driver string) (string, error) {
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	out, err := exec.Command(cc, "-std=c11", "-fsyntax-only", "-I"+driver, "-I"+include, filepath.Join("vendors", v.name+".c")).CombinedOutput()
	return string(out), err
}
