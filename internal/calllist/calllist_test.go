package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

func TestTheFilesAreThoseOfTheTable(t *testing.T) {
	table, err := os.ReadFile(filepath.Join(root, "include/mgpu_calls.def"))
	require.NoError(t, err)
	declared, err := os.ReadFile(filepath.Join(root, "include/mgpu_runtime.h"))
	require.NoError(t, err)
	rows, err := read(string(table), functions(string(declared)))
	require.NoError(t, err)
	for _, w := range written {
		want, err := w.source(rows)
		require.NoError(t, err)
		is, err := os.ReadFile(filepath.Join(root, w.name))
		require.NoError(t, err)
		require.Equal(t, string(want), string(is), "%s: go generate ./mgpu", w.name)
	}
}

func TestRowsThatLeaveSomethingOpenAreRefused(t *testing.T) {
	declared := functions("void mgpuFoo(void *at, uint64_t bytes,\n void *stream);\n")
	require.Equal(t, map[string]function{"mgpuFoo": {parameters: []string{"at", "bytes", "stream"}, void: true}}, declared)
	for row, want := range map[string]string{
		"driver - recorded at,bytes,stream submits foo":      "",
		"driver - ends at,bytes,stream submits foo":          "",
		"driver - at,bytes,stream submits foo":               "nothing becomes of a region by \"at,bytes,stream\"",
		"driver - beside at,bytes,stream submits foo":        "would run before the region's",
		"driver - told stream marks event":                   "would run before the region's",
		"driver - recorded at,bytes -":                       "it takes a stream: what for?",
		"driver NULL recorded at,bytes,stream submits foo":   "the header says what it returns",
		"driver - recorded to=dst submits foo":               "\"dst\" is not a parameter of the function",
		"driver - recorded a=at,b=at,c=at submits foo":       "has room for two",
		"driver - recorded stream submits":                   "no call \"submits\"",
		"driver - recorded stream submits foo, waits stream": "something else before",
		"driver - ends at drops stream":                      "it drops none of its arguments",
		"sometimes - ends stream drops stream":               "no statistics are \"sometimes\"",
		"driver -":                                           "a row has a name",
	} {
		_, err := read("mgpuFoo "+row, declared)
		if want == "" {
			assert.NoError(t, err, row)
		} else {
			assert.ErrorContains(t, err, want, row)
		}
	}
	_, err := read("mgpuBar driver - ends - -", declared)
	assert.ErrorContains(t, err, "the header does not declare it")
	_, err = read("# nothing", declared)
	assert.ErrorContains(t, err, "0 rows, and the header declares 1 functions")
}

// compiles reports whether C of entry.c's kind is compiled, as export.go asks for it.
func compiles(t *testing.T, code string) bool {
	t.Helper()
	const strict = "-Werror=unused-variable"
	export, err := os.ReadFile(filepath.Join(root, "export.go"))
	require.NoError(t, err)
	require.Contains(t, string(export), strict)
	file := filepath.Join(t.TempDir(), "entry.c")
	require.NoError(t, os.WriteFile(file, []byte("#include \"entry.h\"\n#include \"record.h\"\nvoid goRecordEnd(uintptr_t id, char *call);\n"+code), 0o666))
	cc := exec.Command("cc", "-std=gnu11", "-fsyntax-only", "-Wall", strict, "-I", root, "-I", root+"/include", "-I", root+"/internal/fastpath", "-I", root+"/internal/guest", file)
	out, err := cc.CombinedOutput()
	t.Logf("%s", out)
	return err == nil
}

func TestAnEntryThatForgetsRegionsDoesNotCompile(t *testing.T) {
	const memcpy = "void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream) {\n"
	assert.True(t, compiles(t, memcpy+"ENTER(mgpuMemcpy); RECORD(id != 1); }"))
	assert.False(t, compiles(t, memcpy+"ENTER(mgpuMemcpy); }"), "regions record it")
	assert.True(t, compiles(t, "void *mgpuEventCreate(void) {\nENTER(mgpuEventCreate); return NULL; }"))
	assert.False(t, compiles(t, "void mgpuMemHostUnregister(void *ptr) {\nENTER(mgpuMemHostUnregister); RECORD(1); }"), "regions end at it")
}
