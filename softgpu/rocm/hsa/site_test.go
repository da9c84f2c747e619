package hsa

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// buildWithLines builds a shared object of one function with lines, and returns its file and
// the function's address.
func buildWithLines(t *testing.T) (file string, function uint64) {
	t.Helper()
	dir := t.TempDir()
	source, file := filepath.Join(dir, "allocates.c"), filepath.Join(dir, "allocates.so")
	require.NoError(t, os.WriteFile(source, []byte("int allocates(int n) {\n\n  return n + 1;\n}\n"), 0o600))
	out, err := exec.Command("cc", "-g", "-O0", "-shared", "-fPIC", "-nostdlib", "-Wl,-e,allocates", "-o", file, source).CombinedOutput()
	require.NoError(t, err, string(out))
	f, err := elf.Open(file)
	require.NoError(t, err)
	defer f.Close()
	return file, f.Entry
}

func TestALineIsLookedForOnce(t *testing.T) {
	file, function := buildWithLines(t)
	site := Site{Call: "hipMalloc", File: file, Base: 0x10000, Caller: 0x10000 + function + 1}
	require.Regexp(t, `^hipMalloc at .*allocates\.c:1$`, site.String())
	require.NoError(t, os.Remove(file))
	again := site
	require.Regexp(t, `^hipMalloc at .*allocates\.c:1$`, again.String(), "the file is not read again")
}

func TestTheLinesThatAreRememberedAreBounded(t *testing.T) {
	for n := range uint64(2 * mostLines) {
		site := Site{Call: "hipMalloc", File: "/no/such/file", Base: 0x1000, Caller: 0x1000 + n}
		require.Equal(t, fmt.Sprintf("hipMalloc at file+%#x", n), site.String())
		require.LessOrEqual(t, len(known.of), mostLines)
	}
}
