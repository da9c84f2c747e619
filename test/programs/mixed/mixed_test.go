package mixed

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/fakehip"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// images is how many images programs load: hosts/kernels.hip, compiled with IMAGE as 0, 1 and 2.
const images = 3

// sources are those of the host; hosts/kernels.c is an image.
var sources = []string{"hosts/main.c", "hosts/model.c", "hosts/operations.c", "hosts/memory.c", "hosts/copies.c", "hosts/launches.c",
	"hosts/streams.c", "hosts/events.c", "hosts/modules.c", "hosts/graphs.c", "hosts/prints.c", "hosts/world.c"}

func TestMain(m *testing.M) { chost.Main(m) }

func compile(t *testing.T, command string, args ...string) {
	t.Helper()
	out, err := exec.Command(command, args...).CombinedOutput()
	require.NoError(t, err, string(out))
}

// codeObject is an image for AMD's HIP.
func codeObject(t *testing.T, image int, options ...string) string {
	toolchain.Need(t, "clang-22", "ld.lld-22")
	return chost.Once(fmt.Sprintf("image%d%s.hsaco", image, strings.Join(options, "")), func(path string) {
		compile(t, "clang-22", append(options, "-x", "hip", "--offload-arch=gfx906", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib",
			"-fuse-cuid=none", "-mcode-object-version=4", "-O2", fmt.Sprintf("-DIMAGE=%d", image), "--ld-path=ld.lld-22", "-o", path, "hosts/kernels.hip")...)
	})
}

// bundle is an image for the HIP library for tests, with the code object beside it, which says what
// variables there are, and which kernel prints.
func bundle(t *testing.T, image int) string {
	object := codeObject(t, image, "-DPRINTS")
	return chost.Once(fmt.Sprintf("image%d.bundle", image), func(path string) {
		compile(t, "cc", "-std=gnu11", "-O2", "-fPIC", "-shared", fmt.Sprintf("-DIMAGE=%d", image), "-o", path+".so", "hosts/kernels.c")
		compile(t, filepath.Join(filepath.Dir(fakehip.Library(t)), "bundle"), path, path+".so", "fakehip", object)
	})
}

// vendor is a HIP library that programs run over.
type vendor struct {
	name   string
	env    []string
	images [images]string
}

// amd is AMD's HIP on the software GPU, of so many devices.
func amd(t *testing.T, devices int) *vendor {
	t.Helper()
	driver := filepath.Join(filepath.Dir(chost.Library(t)), "rocm", "libmgpu_kfd.so")
	if _, err := os.Stat(driver); err != nil {
		t.Skipf("the stand-in for AMD's driver is not built: %v", err)
	}
	if found, _ := filepath.Glob("/usr/lib/*/libamdhip64.so.5"); found == nil {
		t.Skip("no libamdhip64.so.5: AMD's HIP is not installed")
	}
	v := &vendor{name: "AMD's HIP", env: []string{"LD_PRELOAD=" + driver, "MIXED_HIP=libamdhip64.so.5", "MGPU_HIP_LIBRARY=libamdhip64.so.5",
		"MGPU_SOFT_CHIP=gfx906", fmt.Sprintf("MGPU_SOFT_DEVICES=%d", devices)}}
	for i := range v.images {
		v.images[i] = codeObject(t, i)
	}
	return v
}

// test is the HIP library for tests, which watches its caller.
func test(t *testing.T, devices int) *vendor {
	t.Helper()
	library := fakehip.Library(t)
	v := &vendor{name: "the test HIP", env: []string{"MIXED_HIP=" + library, "MGPU_HIP_LIBRARY=" + library, "FAKEHIP_STRICT=1",
		// The library asks whether handles that the program may have destroyed still are.
		"FAKEHIP_IGNORE=leak,handle",
		fmt.Sprintf("FAKEHIP_DEVICES=%d", devices)}}
	for i := range v.images {
		v.images[i] = bundle(t, i)
	}
	return v
}

var vendors = []struct {
	name string
	make func(t *testing.T, devices int) *vendor
}{{"AMD", amd}, {"test", test}}

// setting is a way to run programs.
type setting struct {
	name    string
	options string // MIXED_OPTIONS
	env     []string
	devices int
	oneCore bool
}

// unchecked is the environment in which a HIP library takes the place of libcuda, which can't be asked about streams
// that the program has destroyed. The HIP library for tests ends the process then. Captures are left to
// test/fakehip/hosts/unchecked.c: HIP's streams are ordered with the default stream, and a query of that ends them.
var unchecked = []string{"MGPU_TEST_STREAMS=unchecked", "FAKEHIP_UNCHECKED=1"}

var settings = []setting{
	{"off", "stock", []string{"MGPU_CACHE=off"}, 1, false},
	{"off, two devices", "stock", []string{"MGPU_CACHE=off"}, 2, false},
	{"on", "", nil, 1, false},
	{"two devices", "", nil, 2, false},
	{"one core", "", nil, 1, true},
	{"graphs", "", []string{"MGPU_GRAPH=auto"}, 1, false},
	{"regions", "regions", nil, 1, false},
	{"through Go", "", []string{"MGPU_TEST_FASTPATH=off"}, 1, false},
	{"unchecked", "no-capture", unchecked, 1, false},
	{"unchecked, two devices", "no-capture", unchecked, 2, false},
	{"unchecked, through Go", "no-capture", append([]string{"MGPU_TEST_FASTPATH=off"}, unchecked...), 1, false},
}

// run runs the host with a command.
func (s setting) run(t *testing.T, v *vendor, command ...string) chost.Result {
	t.Helper()
	host := chost.Build(t, "mixed", sources, append(chost.Linked(chost.Library(t)), "-std=gnu11")...)
	env := append(append([]string{"MGPU_DRIVER=hip", "MIXED_OPTIONS=" + s.options + "," + os.Getenv("MIXED_OPTIONS")}, v.env...), s.env...)
	args := append(v.images[:], command...)
	if s.oneCore {
		host, args = "taskset", append([]string{"-c", "0", host}, args...)
	}
	return chost.Run(t, env, host, args...)
}

func agrees(r chost.Result) bool { return r.End == "exit 0" && r.Stdout == "ok\n" && r.Stderr == "" }

// fails reports whether a program fails at least once in three runs.
func (s setting) fails(t *testing.T, v *vendor, program string) bool {
	path := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(path, []byte(program), 0o600))
	for range 3 {
		if !agrees(s.run(t, v, "program", path)) {
			return true
		}
	}
	return false
}

const length = "300" // operations of a random program

// random runs a program, and reduces it where it fails.
func (s setting) random(t *testing.T, v *vendor, seed uint64) {
	r := s.run(t, v, "random", strconv.FormatUint(seed, 10), "1", length)
	if agrees(r) {
		return
	}
	_, program, found := strings.Cut(r.Stdout, "program:\n")
	if !found { // it has ended by a signal: the operations are printed first
		again := s
		again.options += ",verbose"
		_, program, _ = strings.Cut(again.run(t, v, "random", strconv.FormatUint(seed, 10), "1", length).Stdout, "program:\n")
	}
	if program != "" && s.fails(t, v, program) {
		program = shrunk(program, func(p string) bool { return s.fails(t, v, p) })
	}
	t.Errorf("seed %d over %s, %s: %s\n%s%s\nreduced:\n%s", seed, v.name, s.name, r.End, r.Stdout, r.Stderr, program)
}

// TestMixedProgramsDoWhatStockDoes runs random programs in every setting: other ones in each, or that of
// MGPU_RANDOM_SEED in all.
func TestMixedProgramsDoWhatStockDoes(t *testing.T) {
	first, count, apart := uint64(1), 1, uint64(1000)
	if text := os.Getenv("MGPU_RANDOM_SEED"); text != "" {
		var err error
		first, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		apart = 0
	} else if chost.Long() {
		count = 100
	}
	for i, v := range vendors {
		for j, s := range settings {
			if v.name == "test" {
				s.options += ",no-reset" // it lacks what mgpu notices a reset by
			}
			t.Run(v.name+"/"+s.name, func(t *testing.T) {
				v := v.make(t, s.devices)
				for k := range count {
					s.random(t, v, first+uint64(2*j+i)*apart+uint64(k))
				}
			})
		}
	}
}

// TestFoundProgramsDoWhatStockDoes runs the programs of testdata, which have failed once: with the cache off, and on.
func TestFoundProgramsDoWhatStockDoes(t *testing.T) {
	programs, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, v := range vendors {
		for _, p := range programs {
			if v.name == "test" && strings.Contains(p, "reset") {
				continue // it lacks what mgpu notices a reset by
			}
			t.Run(v.name+"/"+strings.TrimSuffix(filepath.Base(p), ".txt"), func(t *testing.T) {
				devices := 1
				if strings.Contains(p, "two-devices") {
					devices = 2
				}
				v := v.make(t, devices)
				for _, s := range []setting{settings[0], settings[2]} {
					r := s.run(t, v, "program", p)
					require.True(t, agrees(r), "%s: %s\n%s%s", s.name, r.End, r.Stdout, r.Stderr)
				}
			})
		}
	}
}
