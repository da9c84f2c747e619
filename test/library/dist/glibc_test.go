package dist

import (
	"debug/elf"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oldest is the minor version of the oldest glibc 2 that the binaries run with.
const oldest = 28

// internal/glibc says how. The error names a function that is missing there.
func TestBinariesAskForNoNewerGlibc(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("internal/glibc knows x86-64's versions")
	}
	library := chost.Library(t)
	files := []string{library}
	for _, other := range []string{"mgpu", "rocm/libmgpu_kfd.so", "rocm/libmgpu_rocm.so", "rocm/libmgpu_sites.so"} {
		if path := filepath.Join(filepath.Dir(library), other); exists(path) {
			files = append(files, path)
		}
	}
	for _, path := range files {
		file, err := elf.Open(path)
		require.NoError(t, err)
		symbols, err := file.ImportedSymbols()
		require.NoError(t, err)
		for _, s := range symbols {
			if text, ok := strings.CutPrefix(s.Version, "GLIBC_2."); ok {
				text, _, _ = strings.Cut(text, ".")
				minor, err := strconv.Atoi(text)
				require.NoError(t, err, s.Version)
				assert.LessOrEqual(t, minor, oldest, "%s asks for %s of %s", path, s.Name, s.Version)
			}
		}
		require.NoError(t, file.Close())
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
