// Package report counts the errors of a process for MGPU_ON_ERROR, appends them, and profiles of kernels, to the file that MGPU_REPORT
// names, and writes GitHub Actions annotations with MGPU_ANNOTATE. The runtime library, the stand-in for AMD's driver and the
// command each have a [Log].
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/ranks"
	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// Log counts and reports the errors of one process. Its fields are set before its first use. Its methods may be called
// from any number of goroutines.
type Log struct {
	Getenv func(name string) string
	AddTo  func(file string, text []byte) error // appends in one write; its errors begin with the file's name
	Stderr io.Writer                            // for annotations, and if the file can't be written
	Calls  func() (n uint64, ok bool)           // number of mgpu calls so far; nil: they are not counted

	reported   atomic.Uint64
	unwritable sync.Once
}

// OnError returns what MGPU_ON_ERROR asks for.
func (l *Log) OnError() settings.OnError {
	o, _ := settings.ParseOnError(l.Getenv("MGPU_ON_ERROR")) // settings.Problems reports invalid values
	return o
}

// Failed adds the line of a failed call or kernel, with the error's name.
func (l *Log) Failed(name, line string) {
	l.add("mgpu: "+name, line, map[string]any{"kind": "error", "error": name})
}

// Found adds the text of one finding of the checker.
func (l *Log) Found(text string) {
	kind, _, _ := strings.Cut(strings.TrimPrefix(text, "mgpu check: "), ":")
	l.add("mgpu check: "+kind, strings.TrimSuffix(text, "\n"), map[string]any{"kind": "check", "check": kind})
}

// Profiled adds objects that tell of kernels to the file that MGPU_REPORT names, if it names one.
func (l *Log) Profiled(kernels []json.RawMessage) {
	file, _ := settings.ParseFile(l.Getenv("MGPU_REPORT"))
	if file == "" {
		return
	}
	for _, k := range kernels {
		l.write(file, map[string]any{"kind": "profile", "profile": k})
	}
}

// Status returns the status with which the process has to end; 0: the process's own.
func (l *Log) Status() int {
	if l.reported.Load() != 0 {
		return l.OnError().Status
	}
	return 0
}

// Annotates reports whether reports are also written as lines for GitHub Actions.
func (l *Log) Annotates() bool { return l.Getenv("MGPU_ANNOTATE") == "github" }

func (l *Log) add(title, text string, what map[string]any) {
	l.reported.Add(1)
	file, _ := settings.ParseFile(l.Getenv("MGPU_REPORT"))
	annotates := l.Annotates()
	if file == "" && !annotates {
		return
	}
	at := placeOf(text)
	if annotates {
		_, _ = io.WriteString(l.Stderr, annotation(title, text, l.Getenv("GITHUB_WORKSPACE"), at))
	}
	if file == "" {
		return
	}
	what["text"] = text
	if at.kernel != "" {
		what["kernel"] = at.kernel
	}
	if at.file != "" {
		what["file"], what["line"] = at.file, at.line
	}
	if l.Calls != nil {
		if n, ok := l.Calls(); ok {
			what["call"] = n
		}
	}
	l.write(file, what)
}

// write adds an object to the file, with the process that it is of.
func (l *Log) write(file string, what map[string]any) {
	rank, _ := ranks.Find(l.Getenv)
	what["process"], what["rank"] = os.Getpid(), max(0, rank.World)
	line, err := json.Marshal(what)
	if err == nil {
		err = l.AddTo(rank.FileName(file, os.Getpid()), append(line, '\n'))
	}
	if err != nil {
		l.unwritable.Do(func() { _, _ = fmt.Fprintf(l.Stderr, "mgpu: MGPU_REPORT=%v\n", err) })
	}
}
