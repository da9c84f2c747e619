// Command mgpu is the runtime's command line: it runs programs with the library
// in front of them, tells what a machine has, and what a code object holds.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{
		Use:           "mgpu",
		Short:         "Run and inspect programs that MLIR lowered to GPUs",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(runCommand(), doctorCommand(), inspectCommand(), traceCommand())
	if err := root.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "mgpu:", err)
		os.Exit(1)
	}
}
