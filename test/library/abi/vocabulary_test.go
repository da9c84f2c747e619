package abi

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/golden"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

var update = flag.Bool("update", false, "update testdata")

// Errors that a program can cause, by the words of vocabulary.c.
var mistakes = []string{"assembly", "PTX", "bitcode", "SPIR-V", "IR", "JIT", "chip", "name", "cascade", "block", "empty", "negative",
	"stream", "event", "module", "free", "memory", "device", "registered", "scope", "region", "settings"}

// vendorsName is HIP's name of an error.
var vendorsName = regexp.MustCompile(`failed with 'hipError[A-Z]\w+'`)

func TestGoldenErrorsHaveTheVendorsNamesAndTellTheCure(t *testing.T) {
	host := linked(t, "vocabulary.c")
	var all strings.Builder
	for _, what := range mistakes {
		env := []string{soft, "MGPU_SOFT_MEMORY=1GiB"}
		if what == "settings" {
			env = append(env, "MGPU_CAHCE=off", "MGPU_CACHE=of", "MGPU_ON_ERROR=exit:", "MGPU_SOMETHING_ELSE=1")
		}
		r := chost.Run(t, env, host, what)
		require.Equal(t, "exit 0", r.End, what)
		for _, line := range r.Lines() {
			if strings.Contains(line, "failed with") {
				require.Regexp(t, vendorsName, line, what)
			}
			fmt.Fprintf(&all, "%s: %s\n", what, regexp.MustCompile(`0x[0-9a-f]{6,}`).ReplaceAllString(line, "0x*"))
		}
	}
	golden.Check(t, "testdata/vocabulary.txt", all.String(), *update, "go test ./test/library/abi -run Golden -update")
}

func TestFailuresCanSetTheExitStatus(t *testing.T) {
	host := linked(t, "vocabulary.c")
	for setting, end := range map[string]string{"exit": "exit 1", "exit:37": "exit 37", "": "exit 0"} {
		r := chost.Run(t, []string{soft, "MGPU_ON_ERROR=" + setting}, host, "cascade")
		require.Equal(t, end, r.End, setting)
		require.Len(t, r.Lines(), 4, r.Stderr)
		r = chost.Run(t, []string{soft, "MGPU_ON_ERROR=" + setting}, host, "none")
		require.Equal(t, "exit 0", r.End, setting)
	}
}

func TestFailuresAreReportedAsJSON(t *testing.T) {
	host := linked(t, "vocabulary.c")
	file := filepath.Join(t.TempDir(), "%p.%r.json")
	r := chost.Run(t, []string{soft, "MGPU_REPORT=" + file, "RANK=2", "WORLD_SIZE=3"}, host, "chip")
	require.Equal(t, "exit 0", r.End)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.2.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Regexp(t, `^\{"call":1,"error":"no code for this device","kind":"error","process":\d+,"rank":2,"text":"'hipModuleLoadData' failed with 'hipErrorNoBinaryForGpu': [^"]+"\}\n$`, string(text))
	r = chost.Run(t, []string{soft, "MGPU_REPORT=/nowhere/file"}, host, "chip")
	require.Len(t, r.Lines(), 2)
	require.Contains(t, r.Stderr, "mgpu: MGPU_REPORT=/nowhere/file: no such file or directory\n")
}
