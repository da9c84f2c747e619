package rocm

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

var (
	eachWay = regexp.MustCompile(`%each_way (gpu|linalg|tiled|async) `)
	onChip  = regexp.MustCompile(`CHIP=(gfx\w+)`)
	address = regexp.MustCompile(`base@ = 0x[0-9a-f]*`)
)

// ways are the settings of this library under which programs print the same.
var ways = []struct {
	name    string
	env     string
	preload bool // over another wrapper of the same name
}{
	{"graphs off", "MGPU_GRAPH=off", false},
	{"graphs auto", "MGPU_GRAPH=auto", false},
	{"graphs on", "MGPU_GRAPH=on", false},
	{"cache off", "MGPU_CACHE=off", false},
	{"preloaded", "MGPU_STATS=", true},
}

// TestMLIRProgramsPrintTheSameOnAMDsHIP lowers the programs of test/mlir and compares
// what they print over AMD's HIP with what the software GPU's own driver makes of them.
// They hand the host's pointers to kernels, which takes XNACK.
func TestMLIRProgramsPrintTheSameOnAMDsHIP(t *testing.T) {
	library, dir := chost.Library(t), thunk(t)
	needHIP(t)
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22")
	stock := filepath.Join(filepath.Dir(library), "stock")
	_, noStock := os.Stat(filepath.Join(stock, "libmlir_rocm_runtime.so"))
	programs, err := filepath.Glob("../mlir/*.mlir")
	require.NoError(t, err)
	compared := 0
	for _, path := range programs {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		kind := eachWay.FindSubmatch(source)
		if kind == nil {
			continue
		}
		compared++
		chip := "gfx906"
		if m := onChip.FindSubmatch(source); m != nil {
			chip = string(m[1])
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".mlir"), func(t *testing.T) {
			t.Parallel()
			lowered, err := toolchain.Lower(string(kind[1]), string(source), "CHIP="+chip, "ABI=400")
			require.NoError(t, err)
			linked := link(t, lowered, filepath.Dir(library))
			want := prints(t, linked, "MGPU_DRIVER=soft", "MGPU_SOFT_CHIP="+chip)
			for _, w := range ways {
				if w.env == "MGPU_CACHE=off" && strings.Contains(string(source), "UNCACHED=no") {
					continue // fails with stock's calls too
				}
				env := []string{"MGPU_DRIVER=hip", "MGPU_SOFT_CHIP=" + chip + ":xnack+", "LD_LIBRARY_PATH=" + dir, w.env}
				program := linked
				if w.preload {
					if noStock != nil {
						continue
					}
					program, env = link(t, lowered, stock), append(env, "LD_PRELOAD="+library)
				}
				require.Equal(t, want, prints(t, program, env...), w.name)
			}
		})
	}
	require.Greater(t, compared, 20)
}

// link makes a program of what Lower wrote, with the runtime of a folder.
func link(t *testing.T, lowered, runtime string) string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.mlir"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, []byte(lowered), 0o600))
	_, err := toolchain.Run(nil, []string{"RUNTIME=" + runtime}, filepath.Join(chost.Root(), "scripts", "link"), "22", in, out)
	require.NoError(t, err)
	return out
}

// prints is what a program that ends well writes, but for addresses.
func prints(t *testing.T, program string, env ...string) string {
	t.Helper()
	r := chost.Run(t, env, program)
	require.Equal(t, "exit 0", r.End, "%v\n%s", env, r.Stderr)
	require.NotContains(t, r.Stderr, "failed with", "%v", env)
	return address.ReplaceAllString(r.Stdout, "")
}
