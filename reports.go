package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/guest"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// reported counts the failures and findings that were told.
var reported atomic.Uint64

// onError is what MGPU_ON_ERROR asks for: to abort after the first line that says what
// went wrong, nil if not, and the status with which the process ends, 0 for its own.
func onError() (abort func(), status int) {
	text := process.Getenv("MGPU_ON_ERROR")
	switch {
	case text == "abort":
		return process.Abort, 0
	case text == "exit":
		return nil, 1
	case strings.HasPrefix(text, "exit:"):
		if n, err := strconv.ParseUint(text[len("exit:"):], 10, 8); err == nil && n != 0 {
			return nil, int(n)
		}
	case text == "":
		return nil, 0
	}
	wrongOnError.Do(func() {
		_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: MGPU_ON_ERROR=%.60q: it is abort, exit, exit:N with a status N from 1 to 255\n", text)
	})
	return nil, 0
}

var wrongOnError sync.Once

// failed tells of a call that failed, on its thread.
func failed(status int32, line []byte) {
	guest.Failed(status, line)
	report(map[string]any{"kind": "error", "error": driver.Code(status - 1).Error(), "text": string(line)})
}

// findings takes what the software GPU's checker writes, one Write per finding.
type findings struct{ process.StandardError }

func (f findings) Write(text []byte) (int, error) {
	kind, _, _ := strings.Cut(strings.TrimPrefix(string(text), "mgpu check: "), ":")
	timeline.On().Instant(trace.Line, strings.TrimSuffix(string(text), "\n"))
	report(map[string]any{"kind": "check", "check": kind, "text": strings.TrimSuffix(string(text), "\n")})
	return f.StandardError.Write(text)
}

// report counts what went wrong, and adds it to the file that MGPU_REPORT names.
func report(what map[string]any) {
	reported.Add(1)
	path := process.Getenv("MGPU_REPORT")
	if path == "" {
		return
	}
	what["process"], what["rank"] = os.Getpid(), max(0, rank().World)
	if r := rt; r != nil {
		what["call"] = r.CallNumber()
	}
	line, err := json.Marshal(what)
	if err == nil {
		err = appendTo(rank().FileName(path, os.Getpid()), append(line, '\n'))
	}
	if err != nil {
		unwritable.Do(func() {
			_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: MGPU_REPORT=%s: %v\n", path, err)
		})
	}
}

var unwritable sync.Once

// appendTo adds text to a file, in one write, so that processes may share it.
func appendTo(name string, text []byte) error {
	fd, err := syscall.Open(name, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_APPEND|syscall.O_CLOEXEC, 0o666)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = process.Descriptor(fd).Write(text)
	if closed := syscall.Close(fd); err == nil {
		err = closed
	}
	return err
}

// exitStatus is the status that the process is to end with; 0: its own.
func exitStatus() int {
	if _, status := onError(); reported.Load() != 0 {
		return status
	}
	return 0
}
