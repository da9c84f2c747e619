// Package report counts what went wrong in a process, for MGPU_ON_ERROR, adds it to the file that
// MGPU_REPORT names, and tells GitHub Actions with MGPU_ANNOTATE. The runtime library, the stand-in for AMD's driver
// and the command each have a [Log].
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

// Log is one process's account. The fields are set before its first use; its methods may be
// called by any number of goroutines.
type Log struct {
	Getenv func(name string) string
	AddTo  func(file string, text []byte) error // in one write
	Stderr io.Writer                            // for annotations, and for a file that can't be written
	Calls  func() (n uint64, ok bool)           // mgpu calls so far; nil: nobody counts them

	reported   atomic.Uint64
	unwritable sync.Once
}

// OnError is what MGPU_ON_ERROR asks for.
func (l *Log) OnError() settings.OnError {
	o, _ := settings.ParseOnError(l.Getenv("MGPU_ON_ERROR")) // settings.Problems tells of others
	return o
}

// Failed takes the line of a call or a kernel that failed, and the error's name.
func (l *Log) Failed(name, line string) {
	l.add("mgpu: "+name, line, map[string]any{"kind": "error", "error": name})
}

// Found takes what the checker writes of one finding.
func (l *Log) Found(text string) {
	kind, _, _ := strings.Cut(strings.TrimPrefix(text, "mgpu check: "), ":")
	l.add("mgpu check: "+kind, strings.TrimSuffix(text, "\n"), map[string]any{"kind": "check", "check": kind})
}

// Status is the status that the process is to end with; 0: its own.
func (l *Log) Status() int {
	if l.reported.Load() != 0 {
		return l.OnError().Status
	}
	return 0
}

// Annotates reports whether reports are lines for GitHub Actions too.
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
	rank, _ := ranks.Find(l.Getenv)
	what["process"], what["rank"] = os.Getpid(), max(0, rank.World)
	if l.Calls != nil {
		if n, ok := l.Calls(); ok {
			what["call"] = n
		}
	}
	line, err := json.Marshal(what)
	if err == nil {
		err = l.AddTo(rank.FileName(file, os.Getpid()), append(line, '\n'))
	}
	if err != nil {
		l.unwritable.Do(func() { _, _ = fmt.Fprintf(l.Stderr, "mgpu: MGPU_REPORT=%s: %v\n", file, err) })
	}
}
