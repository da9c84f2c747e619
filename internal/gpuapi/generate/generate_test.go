package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

func TestTheFilesAreWhatTheSourcesSay(t *testing.T) {
	files, err := generate(root)
	require.NoError(t, err)
	require.Len(t, files, 1+2*len(vendors))
	for name, text := range files {
		found, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		require.Equal(t, text, string(found), "go generate ./internal/gpuapi updates %s", name)
	}
}

func TestASourceThatIsMissingIsNamed(t *testing.T) {
	_, err := generate(t.TempDir())
	require.ErrorContains(t, err, "calls.def")
}

// edited generates from the sources with one line of a file replaced.
func edited(t *testing.T, file, line, instead string) error {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"internal/gpuapi/calls.def", "internal/hip/symbols.h", "internal/cuda/symbols.h"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		if name == file {
			require.Contains(t, string(text), line)
			text = []byte(strings.Replace(string(text), line, instead, 1))
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, text, 0o666))
	}
	_, err := generate(dir)
	return err
}

func TestLinesThatDoNotFitAreNamed(t *testing.T) {
	for _, c := range []struct{ file, line, instead, says string }{
		{"internal/cuda/symbols.h", ", stream_query)", ")", "cuda/symbols.h: the call stream_query has 0 lines instead of one"},
		{"internal/cuda/symbols.h", "BY_HAND(place,", "BY_HAND(copy,", "cuda/symbols.h: the call "},
		{"internal/cuda/symbols.h", "(CUstream stream), stream_query)", "(CUstream stream, int more), stream_query)",
			"cuda/symbols.h: cuStreamQuery does not fit the call stream_query: int32_t stream_query(table *t, uintptr_t stream, uintptr_t more), but int32_t stream_query(table *t, uintptr_t stream) elsewhere"},
		{"internal/cuda/symbols.h", "(CUstream stream), stream_query)", "(CUstream), stream_query)", `cuStreamQuery: the parameter "CUstream" has no name`},
		{"internal/hip/symbols.h", "BY_HAND(place, hipPointerGetAttribute)", "BY_HAND(place, hipNothing)", "hip/symbols.h: the call place needs hipNothing, which has no line"},
		{"internal/hip/symbols.h", "BY_HAND(place,", "BY_HAND(palace,", "hip/symbols.h: calls.def has no palace"},
		{"internal/hip/symbols.h", "CALLED(required, hipFree", "CALLED(needed, hipFree", `is not a line of this kind`},
		{"internal/gpuapi/calls.def", "struct extent extent(table *t, uintptr_t address);", "struct extent extent;", `calls.def: "struct extent extent" is not a prototype`},
	} {
		require.ErrorContains(t, edited(t, c.file, c.line, c.instead), c.says)
	}
}
