package guest

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// Go's data is relocated by the first call. Were it by the loader, each process
// that loads the library would have 500 KiB of its own.
func TestLoadingAloneCopiesFewPages(t *testing.T) {
	r := chost.Run(t, []string{null}, build(t, "dirty"), chost.Library(t))
	require.Equal(t, "exit 0", r.End, r.Stderr)
	var loaded, called, anonymous int
	_, err := fmt.Sscan(r.Stdout, &loaded, &called, &anonymous)
	require.NoError(t, err, r.Stdout)
	if loaded <= 0 {
		t.Skip("the kernel does not say")
	}
	require.Less(t, loaded, 100, "KiB")
	require.Greater(t, called, 400, "KiB: what the limit above is to be compared with")
	// With 64 processors of Go's and the software GPU's tables it was 3560 KiB.
	if runtime.NumCPU() <= 16 {
		require.Less(t, anonymous, 3072, "KiB that the first call takes")
	}
}

// The failed calls of a stream, and what else refused.c prints of a thread whose
// calls were refused.
func requireRefusal(t *testing.T, r chost.Result, why string) {
	t.Helper()
	require.Equal(t, "exit 0", r.End, r.Stderr)
	line := "'mgpuStreamCreate' failed with '" + why + "'\n"
	require.Equal(t, line+line, r.Stderr)
	require.Equal(t, "none, errno 77\nnone, errno 77\n"+
		"main: mask 0000000000000800, alternate stack flags 2 size 0\nthreads: 1\n", r.Stdout)
}

func TestSandboxThatForbidsTheRelocationGetsALine(t *testing.T) {
	r := chost.Run(t, []string{null}, build(t, "refused"), chost.Library(t))
	if strings.HasPrefix(r.Stdout, "no filters") {
		t.Skip("the kernel has no seccomp filters")
	}
	requireRefusal(t, r, "no right to relocate the library's data")
}

// Where glibc's pthread_create crashes in any library, the host does not: each call fails.
func TestProgramThatIsLinkedStaticallyGetsALine(t *testing.T) {
	for _, kind := range []string{"-static", "-static-pie"} {
		r := chost.Run(t, []string{null}, build(t, "refused", kind), chost.Library(t), "nothing forbidden")
		requireRefusal(t, r, "the program is linked statically: a library that it opens can't start threads; link it dynamically")
	}
}

func TestDamagedRelocationsGetALine(t *testing.T) {
	data, err := os.ReadFile(chost.Library(t))
	require.NoError(t, err)
	f, err := elf.Open(chost.Library(t))
	require.NoError(t, err)
	defer f.Close()
	late := f.Section(".mgpu.rela")
	require.NotNil(t, late)
	for i := range late.Size {
		data[late.Offset+i] = 'X'
	}
	damaged := filepath.Join(t.TempDir(), "damaged.so")
	require.NoError(t, os.WriteFile(damaged, data, 0o644))
	r := chost.Run(t, []string{null}, build(t, "refused"), damaged, "nothing forbidden")
	requireRefusal(t, r, "damaged library: its relocations are overwritten")
}

func TestStrippedLibraryWorks(t *testing.T) {
	strip, err := exec.LookPath("strip")
	if err != nil {
		t.Skip("strip is not installed")
	}
	stripped := filepath.Join(t.TempDir(), "stripped.so")
	out, err := exec.Command(strip, "-s", "-o", stripped, chost.Library(t)).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Empty(t, string(out))
	host := build(t, "called")
	require.Equal(t, chost.Run(t, []string{null}, host), chost.Run(t, []string{null}, host, stripped))
}
