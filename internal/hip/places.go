package hip

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Places are patterns of the places where packages, AMD's installer and ROCm's Python wheels install the library.
// Places that the environment chooses come last. ORIGIN is the folder of the file that asks; a wheel has it beside
// ROCm's.
var Places = []string{
	"/usr/lib/*-linux-gnu/libamdhip64.so.*", "/usr/lib64/libamdhip64.so.*",
	"/opt/rocm*/lib/libamdhip64.so.*", "/opt/rocm/core*/lib/libamdhip64.so.*",
	"/usr/lib/python3*/site-packages/_rocm_sdk_core/lib/libamdhip64.so.*",
	"/usr/local/lib/python3*/*-packages/_rocm_sdk_core/lib/libamdhip64.so.*",
	"$HOME/.local/lib/python3*/site-packages/_rocm_sdk_core/lib/libamdhip64.so.*",
	"$CONDA_PREFIX/lib/python3*/site-packages/_rocm_sdk_core/lib/libamdhip64.so.*",
	"$VIRTUAL_ENV/lib/python3*/site-packages/_rocm_sdk_core/lib/libamdhip64.so.*",
	"$ORIGIN/../_rocm_sdk_core/lib/libamdhip64.so.*",
	"$ROCM_PATH/lib/libamdhip64.so.*",
}

// Installed returns the libraries in places, in their order, with the newest of a folder last. It returns the names
// that programs ask for, such as libamdhip64.so.7, and not the file with the full version. Places with a variable that
// getenv does not have are skipped.
func Installed(places []string, getenv func(string) string) []string {
	var all []string
	for _, place := range places {
		known := true
		pattern := os.Expand(place, func(name string) string {
			value := getenv(name)
			known = known && value != ""
			return value
		})
		if !known {
			continue
		}
		found, _ := filepath.Glob(pattern) // sorted
		for _, path := range found {
			_, version, _ := strings.Cut(filepath.Base(path), ".so.")
			if !strings.Contains(version, ".") && !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	return all
}

// From returns a getenv that also knows ORIGIN, the folder of file.
func From(file string, getenv func(string) string) func(string) string {
	return func(name string) string {
		if name == "ORIGIN" {
			return filepath.Dir(file)
		}
		return getenv(name)
	}
}
