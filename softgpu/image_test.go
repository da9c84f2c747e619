package softgpu

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/disassembly"
)

// images are the code objects built so far, by compiler arguments.
var images sync.Map

// allCases says whether all cases are asked for of tests that usually take some.
var allCases = os.Getenv("MGPU_TEST_LONG") != ""

// image compiles testdata/kernels.cl, or skips where there is no compiler. flags are -mcpu,
// the level and the version of code objects; those from the end that are missing are as below.
func image(t testing.TB, flags ...string) []byte {
	t.Helper()
	if usual := []string{"-mcpu=gfx906", "-O2", "-mcode-object-version=5"}; len(flags) < len(usual) {
		flags = append(slices.Clone(flags), usual[len(flags):]...)
	}
	return compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", filepath.Join("testdata", "kernels.cl")}, flags...))
}

// assemble builds a code object from assembly, for gfx906.
func assemble(t testing.TB, source string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kernel.s")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	return compile(t, []string{"-mcpu=gfx906", "-x", "assembler", file})
}

func compile(t testing.TB, args []string) []byte {
	t.Helper()
	return clang(t, append([]string{"--target=amdgcn-amd-amdhsa", "-nogpulib"}, args...))
}

// clang gives what the compiler makes of args.
func clang(t testing.TB, args []string) []byte {
	t.Helper()
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skip("clang-22 is not installed: no code objects to run")
	}
	if _, err := exec.LookPath("ld.lld-22"); err != nil {
		t.Skip("lld-22 is not installed: no code objects to run")
	}
	key := ""
	for _, a := range args {
		key += a + "\x00"
	}
	build := sync.OnceValues(func() ([]byte, error) {
		kept, err := compiled(args)
		if err != nil {
			return nil, err
		}
		if b, err := os.ReadFile(kept); err == nil {
			return b, compared(b)
		}
		dir, err := os.MkdirTemp("", "soft")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		out := filepath.Join(dir, "out.hsaco")
		if said, err := linked(args, out); err != nil {
			return said, err
		}
		b, err := os.ReadFile(out)
		if err != nil {
			return nil, err
		}
		return b, errors.Join(keep(kept, b), compared(b))
	})
	once, _ := images.LoadOrStore(key, build)
	b, err := once.(func() ([]byte, error))()
	require.NoError(t, err, "%s", b)
	return b
}

// linked compiles to a code object; said is the compiler's, or the linker's, text. The linker
// is run from here where it needs no more than an object file: two processes then instead of
// three, each of which takes as long to start as most of these files to compile.
func linked(args []string, out string) (said []byte, err error) {
	if slices.Contains(args, "hip") {
		return exec.Command("clang-22", append([]string{"-w", "-o", out}, args...)...).CombinedOutput()
	}
	object := out + ".o"
	if said, err = exec.Command("clang-22", append([]string{"-w", "-c", "-o", object}, args...)...).CombinedOutput(); err != nil {
		return said, err
	}
	return exec.Command("ld.lld-22", "--no-undefined", "-shared", object, "-o", out).CombinedOutput()
}

// compiled is where the result of a compilation is kept for the next test binary, that
// of make test's other run with or without cgo: a name for the compiler, for the
// arguments and for what is in the files among them. It is empty where BUILD names no
// folder.
func compiled(args []string) (string, error) {
	folder := os.Getenv("BUILD")
	if folder == "" {
		return "", nil
	}
	compiler, err := exec.LookPath("clang-22")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if compiler, err = filepath.EvalSymlinks(compiler); err != nil {
		return "", err
	}
	about, err := os.Stat(compiler)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(h, about.Size(), about.ModTime())
	for _, a := range args {
		if text, err := os.ReadFile(a); err == nil {
			a = string(text)
		}
		fmt.Fprintf(h, "%q\n", a)
	}
	return filepath.Join(folder, "made", fmt.Sprintf("%x.hsaco", h.Sum(nil))), nil
}

// compared compares what is decoded of code with LLVM's disassembly; not with -short.
func compared(image []byte) error {
	if testing.Short() {
		return nil
	}
	return disassembly.Check(image)
}

// keep writes a file that others may read and write at the same time.
func keep(path string, b []byte) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// levels are those of optimization that a test compiles for a chip: everywhere -O2.
func levels(chip string, unoptimized ...string) []string {
	if allCases || slices.Contains(unoptimized, chip) {
		return []string{"-O0", "-O2"}
	}
	return []string{"-O2"}
}

// chips are those that a test runs on; with -short one: threads meet on all in the same way.
func chips() []string {
	if testing.Short() {
		return []string{"gfx90a"}
	}
	return []string{"gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"}
}

// open makes a driver with one device, or as o says.
func open(t testing.TB, o Options) *Driver {
	t.Helper()
	d, err := Open(o)
	require.NoError(t, err)
	t.Cleanup(func() {
		modules.Range(func(key, _ any) bool {
			if key.(loaded).by == d {
				modules.Delete(key)
			}
			return true
		})
		for _, dev := range d.devices {
			dev.drain(nil)
		}
		for len(d.heap.regions) > 0 {
			r := d.heap.regions[0]
			d.heap.regions = d.heap.regions[1:]
			unmapMemory(r.pages)
		}
	})
	return d
}

// modules are those that kernel has loaded, from loaded to driver.Module, until the driver's
// test ends: decoding one of many kernels takes longer than what most tests launch.
var modules sync.Map

type loaded struct {
	by     *Driver
	device int
	image  string
}

// kernel loads an image, if it did not before, and looks a kernel up.
func kernel(t testing.TB, d *Driver, image []byte, name string) driver.Function {
	t.Helper()
	device, err := d.Device()
	require.NoError(t, err)
	key := loaded{d, device, string(image)}
	m, ok := modules.Load(key)
	if !ok {
		module, err := d.ModuleLoad(image)
		require.NoError(t, err)
		m, _ = modules.LoadOrStore(key, module)
	}
	f, err := d.ModuleGetFunction(m.(driver.Module), name)
	require.NoError(t, err)
	return f
}

func newTestStream(t testing.TB, d *Driver) driver.Stream {
	t.Helper()
	s, err := d.StreamCreate()
	require.NoError(t, err)
	return s
}

func d1(x uint32) driver.Dim3 { return driver.Dim3{X: x, Y: 1, Z: 1} }

// onOwnThread runs f on a thread that is thrown away afterwards.
func onOwnThread(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		f()
	}()
	<-done
}

// onOtherThread runs f on another thread than the caller's, which is locked.
func onOtherThread(f func()) { onOwnThread(f) }
