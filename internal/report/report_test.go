package report

import (
	"bytes"
	"errors"
	"fmt"
	"os"
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
	assert.Equal(t, fmt.Sprintf(`{"error":"launch failure","kind":"error","process":%d,"rank":2,"text":"mgpu: queue 1: kernel k: no"}
{"call":7,"check":"race","kind":"check","process":%d,"rank":2,"text":"mgpu check: race: write of 4 bytes\n    at k+0x0"}
`, os.Getpid(), os.Getpid()), file.String())
	assert.Empty(t, stderr.String())
}

func TestAFileThatCannotBeWrittenIsToldOnce(t *testing.T) {
	var stderr bytes.Buffer
	l := Log{Getenv: environment(map[string]string{"MGPU_REPORT": "r"}), Stderr: &stderr,
		AddTo: func(string, []byte) error { return errors.New("disk full") }}
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
