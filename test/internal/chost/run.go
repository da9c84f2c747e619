package chost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is the time after which a host counts as hanging. It is long, since the machine may be busy, and valgrind is
// slow.
const patience = 10 * time.Minute

// Result is what a host did.
type Result struct {
	Stdout, Stderr string
	End            string // "exit 0", "signal: segmentation fault", "hangs"
}

// Lines are the lines of standard error.
func (r Result) Lines() []string {
	if r.Stderr == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(r.Stderr, "\n"), "\n")
}

// A shell without job control starts background jobs with these signals ignored, and children inherit ignored signals,
// but not handled ones.
func init() {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}

// Run runs a host with the test's environment, without the variables that the library reads, plus env ("NAME=value").
func Run(t testing.TB, env []string, path string, args ...string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MGPU_") && !strings.HasPrefix(v, "GO") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Minute // for the rest of the output
	err := cmd.Run()
	r := Result{Stdout: stdout.String(), Stderr: stderr.String()}
	switch {
	case ctx.Err() != nil:
		r.End = "hangs"
	case cmd.ProcessState == nil:
		t.Fatalf("%s: %v", path, err)
	default:
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if status.Signaled() {
			r.End = "signal: " + status.Signal().String()
		} else {
			r.End = fmt.Sprintf("exit %d", status.ExitStatus())
		}
		if errors.Is(err, exec.ErrWaitDelay) {
			r.End += ", and something holds its output open"
		}
	}
	return r
}
