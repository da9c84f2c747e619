package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/internal/input"
)

// driverName is the library that stands in for AMD's kernel driver. driverFunction is a function that only this library
// has.
const (
	driverName     = "libmgpu_kfd.so"
	driverFunction = "mgpu_kfd_allocated"
)

// rocm is an installation of AMD's libraries.
type rocm struct {
	hip string // path of libamdhip64
}

// findROCm finds the HIP library for which the program asks or, if it asks for none, the newest. The error lists the
// libraries that exist instead.
func findROCm(program string, places []string) (*rocm, error) {
	wanted := neededHIP(program)
	found := installedROCm(places)
	var names []string
	for _, r := range slices.Backward(found) {
		if wanted == "" || filepath.Base(r.hip) == wanted {
			return &r, nil
		}
		names = append(names, r.hip)
	}
	if len(found) > 0 {
		return nil, fmt.Errorf("%s asks for %s, and there is only %s", program, wanted, strings.Join(names, ", "))
	}
	return nil, noROCm(places)
}

func noROCm(places []string) error {
	return fmt.Errorf("no libamdhip64 in %s: Debian's package libamdhip64-5 has it", strings.Join(places, ", "))
}

// installedROCm lists the installed libraries, with the newest of a folder last.
func installedROCm(places []string) (all []rocm) {
	for _, path := range hip.Installed(places, fromHere(os.Getenv)) {
		all = append(all, rocm{hip: path})
	}
	return all
}

// fromHere is getenv with the variables that hip.Places needs to know about this command.
func fromHere(getenv func(string) string) func(string) string {
	self, _ := os.Executable()
	return hip.From(self, getenv)
}

// neededHIP returns the name of the HIP library with which the program is linked.
func neededHIP(program string) string {
	f, err := input.OpenELF(program)
	if err != nil {
		return ""
	}
	defer f.Close()
	needed, _ := f.ImportedLibraries()
	for _, name := range needed {
		if strings.HasPrefix(name, "libamdhip64.so.") {
			return name
		}
	}
	return ""
}

// runsOnROCm says what to do with a program for which callsHIPAlone holds.
const runsOnROCm = "calls HIP, and no function of MLIR's runtime: 'mgpu run --rocm' runs it on the software GPU"

// callsHIPAlone reports whether a program is linked with HIP and not with one of MLIR's runtimes, as far as that is
// visible before it runs.
func callsHIPAlone(program string, env []string) bool {
	p, err := readObject(program)
	if err != nil || neededHIP(program) == "" || len(p.wants) > 0 {
		return false
	}
	return !slices.ContainsFunc(preloads(env), func(file string) bool {
		o, err := readObject(file)
		return err == nil && o.defines["mgpuLaunchKernel"]
	})
}

// preloads returns the files in LD_PRELOAD.
func preloads(env []string) []string {
	return strings.FieldsFunc(value(env, "LD_PRELOAD"), func(r rune) bool { return r == ':' || r == ' ' })
}

// environment returns the variables for running a program on r. Libraries are searched before r's, which come before
// those in env.
func (r *rocm) environment(libraries []string, folder, chip string, env []string) map[string]string {
	set := map[string]string{"LD_PRELOAD": strings.Join(libraries, ":"), "LD_LIBRARY_PATH": folder, "MGPU_SOFT_CHIP": chip}
	for _, name := range []string{"LD_PRELOAD", "LD_LIBRARY_PATH"} {
		if others := value(env, name); others != "" {
			set[name] += ":" + others
		}
	}
	return set
}

// compilersFiles is more than the size of the files that AMD's compiler writes when HIP starts.
const compilersFiles = 4 << 20

// writable returns an error if a folder has no space for the compiler's files.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, "mgpu-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	limit := make(chan os.Signal, 1) // ignore the signal; the program does not inherit that
	signal.Notify(limit, syscall.SIGXFSZ)
	defer signal.Stop(limit)
	_, err = f.Write(make([]byte, compilersFiles))
	return err
}

// release returns the version in the name of the file to which libamdhip64.so.5 links, if it has one.
func (r *rocm) release() string {
	path, err := filepath.EvalSymlinks(r.hip)
	if err != nil {
		path = r.hip
	}
	_, version, _ := strings.Cut(filepath.Base(path), ".so.")
	return version
}
