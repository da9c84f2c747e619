package main

import (
	"bytes"
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

// thunkName is the library that takes the place of AMD's of that name.
const thunkName = "libhsakmt.so.1"

// loading is how AMD's runtime loads the thunk.
type loading int

const (
	fixed      loading = iota // it has its own within it
	linked                    // it needs the thunk's library
	dtifOpened                // it opens libdtif.so where HSA_ENABLE_DTIF is set
)

// rocm is an installation of AMD's libraries.
type rocm struct {
	hip   string // path of libamdhip64
	thunk loading
}

// findROCm finds the HIP library that the program asks for or, where it asks for none,
// the newest. The error says what there is instead.
func findROCm(program string, places []string) (*rocm, error) {
	wanted := neededHIP(program)
	found := installedROCm(places)
	var refused error
	var names []string
	for _, r := range slices.Backward(found) {
		names = append(names, r.hip)
		switch {
		case wanted != "" && filepath.Base(r.hip) != wanted:
		case r.thunk != fixed:
			return &r, nil
		case refused == nil:
			refused = fmt.Errorf("%s: %s", r.hip, fixedReason)
		}
	}
	switch {
	case refused != nil:
		return nil, refused
	case len(found) > 0:
		return nil, fmt.Errorf("%s asks for %s, and there is only %s", program, wanted, strings.Join(names, ", "))
	}
	return nil, noROCm(places)
}

const fixedReason = "its libhsa-runtime64.so.1 takes no other thunk: ROCm 5.2 to 6.2 do, and 7.2 on"

func noROCm(places []string) error {
	return fmt.Errorf("no libamdhip64 in %s: Debian's package libamdhip64-5 has it", strings.Join(places, ", "))
}

// installedROCm lists what is installed, the newest of a folder last.
func installedROCm(places []string) (all []rocm) {
	for _, path := range hip.Installed(places, fromHere(os.Getenv)) {
		all = append(all, rocm{hip: path, thunk: loadingOf(filepath.Join(filepath.Dir(path), "libhsa-runtime64.so.1"))})
	}
	return all
}

// fromHere is getenv with what hip.Places wants to know of this command.
func fromHere(getenv func(string) string) func(string) string {
	self, _ := os.Executable()
	return hip.From(self, getenv)
}

// neededHIP is the name of the HIP library that the program is linked with.
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

// callsHIPAlone tells whether a program is linked with HIP and without a runtime of MLIR's, as far as that can
// be seen before it runs.
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

// preloads are the files in LD_PRELOAD.
func preloads(env []string) []string {
	return strings.FieldsFunc(value(env, "LD_PRELOAD"), func(r rune) bool { return r == ':' || r == ' ' })
}

// loadingOf looks into AMD's runtime.
func loadingOf(runtime string) loading {
	f, err := input.OpenELF(runtime)
	if err != nil {
		return fixed
	}
	defer f.Close()
	needed, _ := f.ImportedLibraries()
	if slices.Contains(needed, thunkName) {
		return linked
	}
	if text, err := f.Section(".rodata", mostRead); err == nil && bytes.Contains(text, []byte("libdtif.so\x00")) {
		return dtifOpened
	}
	return fixed
}

// environment is what makes a program run on r with the libraries in the folders.
func (r *rocm) environment(folders []string, chip, libraries string) map[string]string {
	path := slices.Clone(folders)
	if libraries != "" {
		path = append(path, libraries)
	}
	set := map[string]string{"LD_LIBRARY_PATH": strings.Join(path, ":")}
	if r.thunk == dtifOpened {
		set["HSA_ENABLE_DTIF"] = "1"
	}
	if chip != "" {
		set["MGPU_SOFT_CHIP"] = chip
	}
	return set
}

// compilersFiles is more than what AMD's compiler writes when HIP starts.
const compilersFiles = 4 << 20

// writable returns an error if a folder has no room for the compiler's files.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, "mgpu-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	limit := make(chan os.Signal, 1) // not to be ended by it; the program does not inherit that
	signal.Notify(limit, syscall.SIGXFSZ)
	defer signal.Stop(limit)
	_, err = f.Write(make([]byte, compilersFiles))
	return err
}

// release is the version in the name of the file behind libamdhip64.so.5, as far as
// that tells it.
func (r *rocm) release() string {
	path, err := filepath.EvalSymlinks(r.hip)
	if err != nil {
		path = r.hip
	}
	_, version, _ := strings.Cut(filepath.Base(path), ".so.")
	return version
}
