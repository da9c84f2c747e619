package kernels

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/disassembly"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// Target is what a file is compiled for.
type Target struct {
	Chip  string
	Level string // "-O2"
	Lanes int    // of a wave, for chips that have waves of 32 and of 64; 0: others, whose waves have 64
}

// String returns chip, level and size of waves, for the names of tests.
func (t Target) String() string {
	if t.Lanes != 0 {
		return fmt.Sprintf("%s%s-wave%d", t.Chip, t.Level, t.Lanes)
	}
	return t.Chip + t.Level
}

// wave returns the device library for the size of waves, and the compiler's flags.
func (t Target) wave() (library string, flags []string) {
	switch t.Lanes {
	case 32:
		return "oclc_wavefrontsize64_off", nil
	case 64:
		return "oclc_wavefrontsize64_on", []string{"-mwavefrontsize64"}
	}
	return "oclc_wavefrontsize64_on", nil
}

type built struct {
	file   string
	target Target
}

// images are the code objects compiled so far.
var images sync.Map

// deviceLibraries are the parts of ROCm's device libraries that kernels are linked
// with, those that they depend on last.
var deviceLibraries = []string{"opencl", "ocml", "ockl", "oclc_daz_opt_off", "oclc_correctly_rounded_sqrt_on", "oclc_finite_only_off",
	"oclc_unsafe_math_off", "oclc_abi_version_500"}

// Image compiles a file of src.
func Image(t testing.TB, file string, target Target) []byte {
	t.Helper()
	toolchain.Need(t, "clang-22", "ld.lld-22")
	build := sync.OnceValues(func() ([]byte, error) {
		return compile(filepath.Join(chost.Root(), "test", "programs", "kernels", "src", file), target)
	})
	once, _ := images.LoadOrStore(built{file, target}, build)
	image, err := once.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return image
}

func compile(source string, target Target) ([]byte, error) {
	dir, err := os.MkdirTemp("", "kernels")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out.hsaco")
	wave, flags := target.wave()
	line := append(flags, "-nogpulib", "-mcode-object-version=5", "-ffp-contract=off", target.Level, "-w")
	compiled := out
	if filepath.Ext(source) == ".hip" {
		if target.Lanes != 0 {
			line = append(line, fmt.Sprintf("-DLANES=%d", target.Lanes))
		}
		line = append(line, "-x", "hip", "--offload-device-only", "--no-gpu-bundle-output", "-nogpuinc", "--offload-arch="+target.Chip)
	} else {
		standard, err := standardOf(source)
		if err != nil {
			return nil, err
		}
		// The linker is run below, in two processes instead of clang's three.
		compiled = filepath.Join(dir, "out.o")
		line = append(line, "-c", "-x", "cl", "-cl-std="+standard, "--target=amdgcn-amd-amdhsa", "-mcpu="+target.Chip, "-cl-fp32-correctly-rounded-divide-sqrt")
		for _, library := range append(deviceLibraries, wave, "oclc_isa_version_"+strings.TrimPrefix(target.Chip, "gfx")) {
			path, err := libraryPath(library)
			if err != nil {
				return nil, err
			}
			line = append(line, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", path)
		}
	}
	if _, err := toolchain.Run(nil, nil, "clang-22", append(line, source, "-o", compiled)...); err != nil {
		return nil, fmt.Errorf("%s for %s: %w", filepath.Base(source), target, err)
	}
	if compiled != out {
		if _, err := toolchain.Run(nil, nil, "ld.lld-22", "--no-undefined", "-shared", compiled, "-o", out); err != nil {
			return nil, fmt.Errorf("%s for %s: %w", filepath.Base(source), target, err)
		}
	}
	image, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	return image, disassembly.Check(image)
}

// standardOf is OpenCL C 1.2, unless the file's first line asks for 2.0.
func standardOf(source string) (string, error) {
	text, err := os.ReadFile(source)
	if strings.HasPrefix(string(text), "// OpenCL C 2.0\n") {
		return "CL2.0", err
	}
	return "CL1.2", err
}

// libraryPath finds a device library: TOOLKIT's, as for scripts/lower, or the machine's.
// Chips that are younger than the libraries take the code of the nearest older one, which
// differs in nothing that these kernels use.
func libraryPath(name string) (string, error) {
	folder, err := toolchain.Bitcode()
	if err != nil {
		return "", err
	}
	if toolkit := os.Getenv("TOOLKIT"); toolkit != "" {
		folder = filepath.Join(toolkit, "amdgcn", "bitcode")
	}
	names := []string{name}
	switch {
	case name == "oclc_isa_version_942" || name == "oclc_isa_version_950":
		names = append(names, "oclc_isa_version_940")
	case strings.HasPrefix(name, "oclc_isa_version_11") || strings.HasPrefix(name, "oclc_isa_version_12"):
		names = append(names, "oclc_isa_version_1030")
	}
	for _, name := range names {
		file := filepath.Join(folder, name+".bc")
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("no device library %s.bc in %s", name, folder)
}
