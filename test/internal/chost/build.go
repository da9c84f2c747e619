package chost

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Root is the repository's root directory.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// Library returns the path of the built library. If it is not built, the test is skipped.
func Library(t testing.TB) string {
	t.Helper()
	path := os.Getenv("MGPU_LIB")
	if path == "" {
		path = filepath.Join(Root(), "build", "libmlir_rocm_runtime.so")
	}
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Skipf("the library is not built: %v", err)
	}
	return path
}

// Command returns the path of the command mgpu, which make builds beside the library. If it is not built, the test is
// skipped.
func Command(t testing.TB) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(Library(t)), "mgpu")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the command is not built: %v", err)
	}
	return path
}

// Sanitizer returns the compiler's flag for a sanitizer. If the compiler lacks it, the test is skipped.
func Sanitizer(t testing.TB, name string) string {
	t.Helper()
	flag := "-fsanitize=" + name
	probe := exec.Command("cc", flag, "-xc", "-", "-o", filepath.Join(t.TempDir(), "probe"))
	probe.Stdin = strings.NewReader("int main(void) { return 0; }")
	if out, err := probe.CombinedOutput(); err != nil {
		t.Skipf("the compiler has no %s: %s", flag, out)
	}
	return flag
}

// Build compiles sources, given relative to the test's directory, with the C compiler (or the C++ compiler, if args has
// a -std=c++ flag) and returns the path of the result. Further args are passed to the compiler after the sources, so
// that libraries in them take effect. The same command is executed once.
func Build(t testing.TB, out string, sources []string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), out)
	line := []string{compiler(args), "-O1", "-g", "-pthread", "-Wall", "-Wextra", "-Werror", "-I" + filepath.Join(Root(), "include")}
	line = append(line, sources...)
	line = append(line, args...)
	once, _ := built.LoadOrStore(strings.Join(line, "\x00"), sync.OnceValues(func() (program, error) {
		if output, err := exec.Command(line[0], append(line[1:], "-o", path)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, output)
		}
		return os.ReadFile(path)
	}))
	made, err := once.(func() (program, error))()
	if _, gone := os.Stat(path); err == nil && gone != nil {
		// Another process copies the file: a file can't be executed while a process has it open for writing, which a
		// process that this one starts meanwhile would inherit.
		install := exec.Command("sh", "-c", `cat >"$0" && chmod 700 "$0"`, path)
		install.Stdin = bytes.NewReader(made)
		err = install.Run()
	}
	if err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return path
}

// program is the contents of an executable file.
type program = []byte

// built has, for each command line of the compiler, a function that returns its output.
var built sync.Map

// Linked are the flags that link a program against the library.
func Linked(library string) []string {
	return []string{library, "-Wl,-rpath," + filepath.Dir(library), "-ldl"}
}

func compiler(args []string) string {
	variable, usual := "CC", "cc"
	for _, a := range args {
		if len(a) > 8 && a[:8] == "-std=c++" {
			variable, usual = "CXX", "c++"
		}
	}
	if c := os.Getenv(variable); c != "" {
		return c
	}
	return usual
}
