package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/ranks"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/internal/timeline"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// programStatus is the exit status of a program for which the command has waited. The command exits with it and prints
// nothing.
type programStatus int

func (s programStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// runTraced runs a program as a child, and makes the timeline of its records when it has ended. Processes that the
// program starts leave their own records, which they print at exit.
func runTraced(program string, args, env []string) error {
	child := &exec.Cmd{Path: program, Args: args, Env: env, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	sent := make(chan os.Signal, 16)
	notifyOfEnd(sent)
	defer signal.Stop(sent)
	if err := child.Start(); err != nil {
		return failure{fmt.Errorf("cannot run %s: %w", program, reason(err)), statusCannotRun}
	}
	ended := make(chan struct{})
	go forward(sent, child.Process, ended)
	_ = child.Wait() // ProcessState has the status
	close(ended)
	if err := finishTrace(child.Process.Pid, env); err != nil {
		fmt.Fprintln(os.Stderr, "mgpu: --trace:", plain(err))
	}
	status := child.ProcessState.ExitCode()
	if how, ok := child.ProcessState.Sys().(syscall.WaitStatus); ok && how.Signaled() {
		status = 128 + int(how.Signal()) // the same as in shells
	}
	if status != 0 {
		return programStatus(status)
	}
	return nil
}

// forward forwards signals to the program until it has ended. A terminal sends the signals of its keys to the program
// itself.
func forward(sent <-chan os.Signal, to *os.Process, ended <-chan struct{}) {
	for {
		select {
		case s := <-sent:
			if (s == syscall.SIGINT || s == syscall.SIGQUIT) && inForeground() {
				continue
			}
			_ = to.Signal(s)
		case <-ended:
			return
		}
	}
}

// inForeground reports whether a terminal sends the signals of its keys to this process.
func inForeground() bool {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return false
	}
	_, numbers, _ := strings.Cut(string(stat), ") ") // the fields: state, parent, group, session, terminal, its foreground group
	f := strings.Fields(numbers)
	return len(f) > 5 && f[2] == f[5]
}

// finishTrace makes the timeline from the records of a process, and removes the records.
func finishTrace(process int, env []string) error {
	pattern, _ := settings.ParseFile(value(env, "MGPU_TRACE"))
	if pattern == "" { // off
		return nil
	}
	names := traceNames(process, func(name string) string { return value(env, name) })
	for _, name := range trace.Candidates(names.File(pattern), process) {
		p, err := timeline.ReadFile(name + trace.PartSuffix)
		if err != nil || p.Process != process {
			continue
		}
		c, err := timeline.WriteFile(timeline.NewTimeline(p), name)
		if err != nil {
			return fmt.Errorf("%w; the records are in %s", err, name+trace.PartSuffix)
		}
		fmt.Fprintf(os.Stderr, "mgpu: trace: %s: %v\n", name, c)
		return os.Remove(name + trace.PartSuffix)
	}
	return fmt.Errorf("process %d left no records: it made no mgpu call, or a line says why", process)
}

// traceNames returns the values for the placeholders in the names of a process's timelines.
func traceNames(process int, getenv func(string) string) trace.Names {
	host, _ := os.Hostname()
	n := trace.Names{Process: process, Rank: -1, Host: host, Getenv: getenv}
	if place, _ := ranks.Find(getenv); place.Size > 1 {
		n.Rank = max(place.World, 0)
	}
	return n
}
