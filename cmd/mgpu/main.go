// Command mgpu is the runtime's command line: it runs programs with the library preloaded, checks machines, and
// describes code objects.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	keepSignals()
	root, out := rootCommand(), &output{to: os.Stdout, closed: closedAtStart(syscall.Stdout)}
	root.SetOut(out)
	completions(root)
	err := root.Execute()
	if closed := os.Stdout.Close(); out.failed == nil {
		out.failed = closed
	}
	if out.failed != nil {
		err = fmt.Errorf("standard output: %w", reason(out.failed))
	}
	var program programStatus
	if errors.As(err, &program) {
		os.Exit(int(program))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mgpu:", plain(err))
		os.Exit(exitStatus(err))
	}
}

// output is standard output. It remembers whether a write has failed.
type output struct {
	to     io.Writer
	closed bool // before the command started
	failed error
}

func (o *output) Write(p []byte) (int, error) {
	if o.failed != nil {
		return 0, o.failed
	}
	if o.closed {
		o.failed = syscall.EBADF
		return 0, o.failed
	}
	n, err := o.to.Write(p)
	o.failed = err
	return n, err
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "mgpu",
		Short:         "Run and inspect programs that MLIR lowered to GPUs",
		Version:       ownVersion(),
		Args:          cobra.ArbitraryArgs,
		RunE:          noSuchCommand,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(runCommand(), doctorCommand(), inspectCommand(), launchCommand(), traceCommand(), pathCommand(), versionCommand(), manCommand())
	root.SetFlagErrorFunc(wrongFlag)
	root.SetHelpCommand(helpCommand())
	wrapHelp(root)
	return root
}

// completions adds the command that writes shells' completions, to the writer that was set.
func completions(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	c.Args, c.RunE = cobra.ArbitraryArgs, noSuchCommand
	for _, shell := range c.Commands() {
		shell.Args = arguments(0, 0)
	}
}

// plain returns an error without the name of the failed system call.
func plain(err error) error {
	if at, ok := err.(*fs.PathError); ok {
		return fmt.Errorf("%s: %w", shownName(at.Path), at.Err)
	}
	return err
}

// shownName returns a file's name for a message. An empty name is quoted.
func shownName(name string) string {
	if name == "" {
		return `""`
	}
	return name
}

// failure is an error with an exit status.
type failure struct {
	error
	status int
}

func (f failure) Unwrap() error { return f.error }

// Exit statuses of the command other than 0, with the meanings that shells and env use.
const (
	statusFailed    = 1
	statusWrongUse  = 2
	statusCannotRun = 126
	statusNoProgram = 127
)

func exitStatus(err error) int {
	var f failure
	if errors.As(err, &f) {
		return f.status
	}
	return statusFailed
}
