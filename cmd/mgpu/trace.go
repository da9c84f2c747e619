package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/trace"
)

func traceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "trace FILE.part ...",
		Short: "Make timelines of the records of MGPU_TRACE",
		Long: "Make timelines, which ui.perfetto.dev and chrome://tracing open, of files of records that\n" +
			"processes left that did not end well. A process that ends well makes its own.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			for _, f := range files {
				if err := convertPart(f); err != nil {
					return err
				}
			}
			return nil
		},
	}
	return c
}

// convertPart makes FILE of FILE.part, which stays.
func convertPart(file string) error {
	name, ok := strings.CutSuffix(file, ".part")
	if !ok {
		return fmt.Errorf("%s is no file of records: its name does not end with .part", file)
	}
	records, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	c, err := trace.Convert(records, name)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Printf("%s: %d events, %d threads, %d streams, %d lost, %d bytes\n", name, c.Events, c.Threads, c.Streams, c.Lost, c.Bytes)
	return nil
}
