package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

func TestWhatWentWrongIsAddedToTheFile(t *testing.T) {
	var file, stderr bytes.Buffer
	var names []string
	l := Log{
		Getenv: environment(map[string]string{"MGPU_REPORT": "r.%r", "RANK": "2", "WORLD_SIZE": "3"}),
		AddTo:  func(name string, text []byte) error { names = append(names, name); file.Write(text); return nil },
		Stderr: &stderr,
	}
	l.Failed("launch failure", "mgpu: queue 1: kernel k: no")
	l.Calls = func() (uint64, bool) { return 7, true }
	l.Found("mgpu check: race: write of 4 bytes\n    at k+0x0\n")
	assert.Equal(t, []string{"r.2", "r.2"}, names)
	assert.Equal(t, fmt.Sprintf(`{"error":"launch failure","kernel":"k","kind":"error","process":%d,"rank":2,"text":"mgpu: queue 1: kernel k: no"}
{"call":7,"check":"race","kind":"check","process":%d,"rank":2,"text":"mgpu check: race: write of 4 bytes\n    at k+0x0"}
`, os.Getpid(), os.Getpid()), file.String())
	assert.Empty(t, stderr.String())
}

func TestProfilesAreAddedToTheFileAndAreNoFailures(t *testing.T) {
	var file bytes.Buffer
	l := Log{
		Getenv: environment(map[string]string{"MGPU_REPORT": "r", "MGPU_ON_ERROR": "exit"}),
		AddTo:  func(_ string, text []byte) error { file.Write(text); return nil },
	}
	l.Profiled([]json.RawMessage{json.RawMessage(`{"kernel":"k"}`)})
	assert.Equal(t, fmt.Sprintf(`{"kind":"profile","process":%d,"profile":{"kernel":"k"},"rank":0}`+"\n", os.Getpid()), file.String())
	assert.Zero(t, l.Status())
}

func TestAFileThatCannotBeWrittenIsToldOnce(t *testing.T) {
	var stderr bytes.Buffer
	l := Log{Getenv: environment(map[string]string{"MGPU_REPORT": "r"}), Stderr: &stderr,
		AddTo: func(name string, _ []byte) error { return fmt.Errorf("%s: disk full", name) }}
	l.Found("mgpu check: race: a\n")
	l.Found("mgpu check: race: b\n")
	assert.Equal(t, "mgpu: MGPU_REPORT=r: disk full\n", stderr.String())
}

func TestTheStatusIsTheProcesssOwnUntilSomethingWentWrong(t *testing.T) {
	for setting, status := range map[string]int{"": 0, "abort": 0, "exit": 1, "exit:9": 9, "stop": 0} {
		l := Log{Getenv: environment(map[string]string{"MGPU_ON_ERROR": setting})}
		assert.Zero(t, l.Status(), setting)
		l.Found("mgpu check: race: a\n")
		assert.Equal(t, status, l.Status(), setting)
	}
}

const race = "mgpu check: race: write of 4 bytes in workgroup memory, at offset 260, in kernel blur, launched by mgpu call 7\n" +
	"    at blur+0x58 (pc 0x58): `ds_write_b32 v7, v6 offset:4`, near /w/src/blur.mlir:35\n" +
	"    by workgroup (0,0,0), work-item (64,0,0), wave 1 lane 0\n" +
	"    no barrier or atomic orders it after the read at blur+0x80 (pc 0x80): `ds_read2_b32 v[0:1], v7 offset1:2`, near /w/src/blur.mlir:40\n"

func TestWhereSomethingWentWrong(t *testing.T) {
	for text, want := range map[string]place{
		race: {"blur", "/w/src/blur.mlir", 35},
		"mgpu check: uninit: read of 4 bytes, in kernel k\n    at k+0x8 (pc 0x8): `global_load_dword v0, v[0:1], off`\n    by workgroup (0,0,0)": {kernel: "k"},
		"mgpu check: leak: 2 blocks of memory, 1024 bytes never freed, the last allocated by mgpu call 5 from prog+0x123b (allocate), prog.c:11": {file: "prog.c", line: 11},
		"mgpu check: leak: 1 stream never destroyed, created by mgpu call 1 from prog+0x11d3, /a b/c,d.c":                                        {},
		"'hipModuleLaunchKernel(poke)' failed with 'hipErrorIllegalAddress': kernel poke: read from an address that is not mapped, address 0x8":  {kernel: "poke"},
		"'mgpuStreamCreate' failed with 'no driver'": {},
	} {
		assert.Equal(t, want, placeOf(text), text)
	}
}

func TestGitHubShowsReportsAtTheirLines(t *testing.T) {
	var out bytes.Buffer
	variables := map[string]string{"MGPU_ANNOTATE": "github", "GITHUB_WORKSPACE": "/w/"}
	l := Log{Getenv: environment(variables), Stderr: &out}
	l.Found(race)
	l.Failed("no device", "100% wrong: a, b")
	assert.Equal(t, "::error file=src/blur.mlir,line=35,title=mgpu check%3A race::"+
		strings.NewReplacer("%", "%25", "\n", "%0A").Replace(strings.TrimSuffix(race, "\n"))+"\n::error title=mgpu%3A no device::100%25 wrong: a, b\n", out.String())
	out.Reset()
	variables["MGPU_ANNOTATE"] = "gitlab" // which the first call tells
	l.Found(race)
	assert.Empty(t, out.String())
}
