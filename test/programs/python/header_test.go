package python

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// declares prints what the package says of the C header.
const declares = `
import ctypes, json
from mgpu_runtime import counters, kernels, library
def c(t):
    if t is None: return "void"
    if issubclass(t, ctypes.Array): return f"{c(t._type_)}[{t._length_}]"
    if issubclass(t, ctypes.Structure): return t.__name__
    return t.__name__
print(json.dumps({
    "functions": {name: [c(t) for t in types] for name, types in library._PROTOTYPES.items()},
    "structs": {t.__name__: [f"{n} {c(k)}" for n, k in t._fields_]
        for t in (*vars(counters).values(), kernels._KernelArgument) if isinstance(t, type) and issubclass(t, ctypes.Structure)},
    "statuses": ["mgpux_" + s.name.lower() for s in library.Status],
}))
`

// ctype is ctypes' name of a type in the header, as the interpreter prints it.
func ctype(c string) string {
	c = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c), "const "))
	switch {
	case c == "char *":
		return "c_char_p"
	case strings.HasSuffix(c, "*"):
		return "c_void_p"
	}
	names := map[string]string{"void": "void", "int32_t": "c_int", "uint8_t": "c_ubyte", "uint64_t": "c_ulong", "size_t": "c_ulong", "intptr_t": "c_long", "char": "c_char", "struct mgpux_counters": "_Counters"}
	return names[c]
}

// TestThePackageKnowsTheHeader compares declarations, as nothing else would notice a difference.
func TestThePackageKnowsTheHeader(t *testing.T) {
	toolchain.Need(t, python)
	cmd := exec.Command(python, "-c", declares)
	cmd.Env = append(os.Environ(), environment()...)
	out, err := cmd.Output()
	require.NoError(t, err)
	var said struct {
		Functions, Structs map[string][]string
		Statuses           []string
	}
	require.NoError(t, json.Unmarshal(out, &said))
	text, err := os.ReadFile(filepath.Join(chost.Root(), "include/mgpu_runtime.h"))
	require.NoError(t, err)
	header := regexp.MustCompile(`(?s)/\*.*?\*/|\n#[^\n]*`).ReplaceAllString(string(text), "")

	parameter := regexp.MustCompile(`^(.*?[ *])\w+$`)
	functions := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?m)^((?:const )?\w+ \*?)(mgpux?[A-Z]\w+)\(([^)]*)\);`).FindAllStringSubmatch(header, -1) {
		types := []string{ctype(m[1])}
		for _, p := range strings.Split(strings.Join(strings.Fields(m[3]), " "), ",") {
			if p = strings.TrimSpace(p); p != "void" {
				types = append(types, ctype(parameter.FindStringSubmatch(p)[1]))
			}
		}
		functions[m[2]] = types
	}
	require.Greater(t, len(said.Functions), 20)
	for name, types := range said.Functions {
		assert.Equal(t, functions[name], types, name)
	}

	member := regexp.MustCompile(`^(.*?)\s*\b(\w+)(\[\d+\])?$`)
	for name, c := range map[string]string{"_Counters": "counters", "_Stats": "stats", "_FunctionStats": "function_stats", "_Refusal": "refusal", "_MemoryStats": "memory_stats", "_KernelArgument": "kernel_argument"} {
		_, body, ok := strings.Cut(header, "struct mgpux_"+c+" {")
		require.True(t, ok, c)
		body, _, _ = strings.Cut(body, "}")
		var fields []string
		for _, line := range strings.Split(body, ";") {
			kind := ""
			for _, part := range strings.Split(strings.Join(strings.Fields(line), " "), ",") {
				if part = strings.TrimSpace(part); part == "" {
					continue
				}
				m := member.FindStringSubmatch(part)
				if m[1] != "" {
					kind = ctype(m[1])
				}
				fields = append(fields, m[2]+" "+kind+m[3])
			}
		}
		assert.Equal(t, fields, said.Structs[name], name)
	}

	_, statuses, _ := strings.Cut(header, "enum mgpux_status {")
	statuses, _, _ = strings.Cut(statuses, "}")
	assert.Equal(t, regexp.MustCompile(`mgpux_\w+`).FindAllString(statuses, -1), said.Statuses)
}
