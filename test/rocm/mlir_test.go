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
	eachWay = regexp.MustCompile(`.*%each_way (gpu|linalg|tiled|async) `) // the first line of several is for all releases
	onChip  = regexp.MustCompile(`CHIP=(gfx\w+)`)
	address = regexp.MustCompile(`base@ = 0x[0-9a-f]*`)
)

// way is a setting of this library.
type way struct {
	name    string
	env     string
	preload bool // over another wrapper of the same name
}

// ways are those under which programs print the same.
var ways = []way{
	{"graphs off", "MGPU_GRAPH=off", false},
	{"graphs auto", "MGPU_GRAPH=auto", false},
	{"graphs always", "MGPU_TEST_GRAPH=always", false},
	{"cache off", "MGPU_CACHE=off", false},
	{"preloaded", "MGPU_STATS=", true},
}

// TestMLIRProgramsPrintTheSameOnAMDsHIP lowers the programs of test/mlir and compares
// what they print over AMD's HIP with what the software GPU's own driver makes of them.
// They hand the host's pointers to kernels, which takes XNACK. The ways are taken in turn,
// on the machine's own HIP: all of them, on all releases, with MGPU_TEST_LONG.
func TestMLIRProgramsPrintTheSameOnAMDsHIP(t *testing.T) {
	library := chost.Library(t)
	libraries(t)
	needHIP(t)
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22")
	stock := filepath.Join(filepath.Dir(library), "stock")
	_, err := os.Stat(filepath.Join(stock, "libmlir_rocm_runtime.so"))
	require.NoError(t, err, "make test builds it")
	paths, err := filepath.Glob("../mlir/*.mlir")
	require.NoError(t, err)
	releases, long := []*suite{machine}, chost.Long()
	if long {
		releases = suites
	}
	compared := 0
	for _, path := range paths {
		p, ok := readProgram(t, path)
		if !ok {
			continue
		}
		if !chost.Chosen(8, filepath.Base(path)) {
			continue
		}
		use := ways
		if !long {
			use = ways[compared%len(ways):][:1]
		}
		compared++
		t.Run(strings.TrimSuffix(filepath.Base(path), ".mlir"), func(t *testing.T) {
			t.Parallel()
			for _, s := range releases {
				t.Run(s.name, func(t *testing.T) { p.compare(t, s, use, filepath.Dir(library), stock) })
			}
		})
	}
	require.GreaterOrEqual(t, compared, 8)
}

// program is one of test/mlir.
type program struct {
	kind, chip, source string
	uncached           bool // it runs without the cache: some fail with stock's calls too
}

// needs is the first release that lowers a program.
var needs = regexp.MustCompile(`(?m)^// REQUIRES: from-mlir-(\d+)$`)

// readProgram reads a file; ok is false where it is not run in each way.
func readProgram(t *testing.T, path string) (p program, ok bool) {
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	kind := eachWay.FindSubmatch(source)
	if first := needs.FindSubmatch(source); kind == nil || first != nil && string(first[1]) > "22" {
		return p, false
	}
	p = program{string(kind[1]), "gfx906", string(source), !strings.Contains(string(source), "UNCACHED=no")}
	if m := onChip.FindSubmatch(kind[0]); m != nil {
		p.chip = string(m[1])
	}
	return p, true
}

// twoDevices is for the program that uses more than one.
const twoDevices = "MGPU_SOFT_DEVICES=2"

// compare runs the program on a release of AMD's.
func (p *program) compare(t *testing.T, s *suite, ways []way, runtime, stock string) {
	s.root(t)
	lowered, err := toolchain.Lower(p.kind, p.source, "CHIP="+p.chip, "ABI="+s.version+"00")
	require.NoError(t, err)
	linked := link(t, lowered, runtime)
	want := prints(t, chost.Run(t, []string{"MGPU_DRIVER=soft", "MGPU_SOFT_CHIP=" + p.chip, twoDevices}, linked))
	for _, w := range ways {
		if w.env == "MGPU_CACHE=off" && !p.uncached {
			w = way{name: "cache on"}
		}
		env := []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + s.library, "MGPU_SOFT_CHIP=" + p.chip + ":xnack+", twoDevices, w.env}
		program := linked
		if w.preload {
			program, env = link(t, lowered, stock), append(env, "LD_PRELOAD="+filepath.Join(runtime, "libmlir_rocm_runtime.so"))
		}
		require.Equal(t, want, prints(t, s.start(t, env, program)), w.name)
	}
}

// link makes a program of lowered MLIR, with the runtime of a folder.
func link(t *testing.T, lowered, runtime string) string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.mlir"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, []byte(lowered), 0o600))
	_, err := toolchain.Run(nil, []string{"RUNTIME=" + runtime}, filepath.Join(chost.Root(), "scripts", "link"), "22", in, out)
	require.NoError(t, err)
	return out
}

// prints is the output of a program that ended well, without addresses.
func prints(t *testing.T, r chost.Result) string {
	t.Helper()
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.NotContains(t, r.Stderr, "failed with")
	return address.ReplaceAllString(r.Stdout, "")
}

// MLIR 19's pass knows the option and leaves the version to LLVM.
func TestEachReleaseLowersForTheVersionThatIsAskedFor(t *testing.T) {
	for release, tool := range map[string]string{"19": "mlir-opt-19", "22": "mlir-opt-22"} {
		toolchain.Need(t, tool)
		out := filepath.Join(t.TempDir(), "out.mlir")
		_, err := toolchain.Run(nil, []string{"ABI=400"}, filepath.Join(chost.Root(), "scripts", "lower"), release, "gpu", "../mlir/vector-add.mlir", out)
		require.NoError(t, err)
		lowered, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Contains(t, string(lowered), `\7FELF\02\01\01@\02`, "AMD HSA's ABI version 2 is code object version 4")
	}
}
