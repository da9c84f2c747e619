package toolchain

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/disassembly"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// Need skips a test if a tool is not installed.
func Need(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
}

// Release is the release of MLIR whose tools are used: 22, or MGPU_TEST_MLIR.
func Release() string {
	if r := os.Getenv("MGPU_TEST_MLIR"); r != "" {
		return r
	}
	return "22"
}

// NeedMLIR skips a test if a tool of [Release], or one that its output needs, is not installed.
func NeedMLIR(t testing.TB) {
	t.Helper()
	Need(t, "mlir-opt-"+Release(), "mlir-translate-"+Release(), "ld.lld-"+Release(), "clang-22")
}

// Bitcode is the folder of ROCm's device libraries.
var Bitcode = sync.OnceValues(func() (string, error) {
	folder, err := Run(nil, nil, script("toolkit"), "--bitcode")
	return strings.TrimSpace(string(folder)), err
})

// DeviceLibraries is [Bitcode]. It skips a test if they are not installed.
func DeviceLibraries(t testing.TB) string {
	t.Helper()
	folder, err := Bitcode()
	if err != nil {
		t.Skip("ROCm's device libraries are not installed")
	}
	return folder
}

// Run runs a command and returns what it wrote to its standard output.
func Run(stdin []byte, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = bytes.NewReader(stdin)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, shortened(said.String()))
	}
	return out.Bytes(), nil
}

// shortened returns the beginning of a tool's output, since crashes print whole modules.
func shortened(s string) string {
	if len(s) > 4000 {
		return s[:4000] + "..."
	}
	return s
}

// Lower runs scripts/lower for [Release] on a program's text, with further
// variables in its environment ("CHIP=gfx90a"), and returns the lowered text.
func Lower(kind string, text string, env ...string) (string, error) {
	dir, err := os.MkdirTemp("", "lower")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "in.mlir"), filepath.Join(dir, "out.mlir")
	if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
		return "", err
	}
	if _, err := Run(nil, env, script("lower"), Release(), kind, in, out); err != nil {
		return "", err
	}
	lowered, err := os.ReadFile(out)
	return string(lowered), err
}

// Object compiles a lowered module, for a host with F16C and FMA, to a new file in dir, at LLVM's level 1.
func Object(lowered, dir string) (string, error) {
	in, out := filepath.Join(dir, "lowered.mlir"), filepath.Join(dir, "lowered.o")
	if err := os.WriteFile(in, []byte(lowered), 0o600); err != nil {
		return "", err
	}
	_, err := Run(nil, []string{"LEVEL=1"}, script("object"), Release(), in, out, "f16c", "fma")
	return out, err
}

// Program compiles a lowered module, and a C text that calls its functions, to a new program in dir. Further args are
// passed to the linker.
func Program(lowered, text, dir string, args ...string) (string, error) {
	functions, err := Object(lowered, dir)
	if err != nil {
		return "", err
	}
	program, source := filepath.Join(dir, "program"), filepath.Join(dir, "main.c")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return "", err
	}
	line := append([]string{"-w", "-O1", "-ffp-contract=off", functions, source, "-o", program, "-lm"}, args...)
	_, err = Run(nil, nil, "clang-22", line...)
	return program, err
}

func script(name string) string { return filepath.Join(chost.Root(), "scripts", name) }

// Binaries returns the code objects in a lowered module, by their modules' names. It is an error if LLVM and the
// software GPU disassemble one differently.
func Binaries(lowered string) (map[string][]byte, error) {
	found := map[string][]byte{}
	for rest := lowered; ; {
		_, after, ok := strings.Cut(rest, "gpu.binary @")
		if !ok {
			return found, nil
		}
		name, _, _ := strings.Cut(after, " ")
		_, text, ok := strings.Cut(after, `bin = "`)
		if !ok {
			return nil, fmt.Errorf("binary %s has no bytes", name)
		}
		image, end, err := unescape(text)
		if err != nil {
			return nil, fmt.Errorf("binary %s: %w", name, err)
		}
		if err := disassembly.Check(image); err != nil {
			return nil, fmt.Errorf("binary %s: %w", name, err)
		}
		found[name] = image
		rest = text[end:]
	}
}

// unescape reads MLIR's string up to its closing quote, and returns the position after it.
func unescape(text string) ([]byte, int, error) {
	var out []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return out, i, nil
		case '\\':
			if i+2 >= len(text) {
				return nil, 0, fmt.Errorf("the string ends within an escape")
			}
			if e := strings.IndexByte(`\"nt`, text[i+1]); e >= 0 {
				out = append(out, "\\\"\n\t"[e])
				i++
				continue
			}
			var b byte
			if _, err := fmt.Sscanf(text[i+1:i+3], "%02X", &b); err != nil {
				return nil, 0, fmt.Errorf("escape %q: %w", text[i:i+3], err)
			}
			out = append(out, b)
			i += 2
		default:
			out = append(out, c)
		}
	}
	return nil, 0, fmt.Errorf("the string does not end")
}
