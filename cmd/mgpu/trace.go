package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

func traceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "trace FILE.part ...",
		Short: "Make timelines of the records of MGPU_TRACE",
		Long: "Make timelines, which ui.perfetto.dev and chrome://tracing open, of files of records that\n" +
			"processes left that did not end well. A process that ends well makes its own.",
		Args: arguments(1, -1),
		RunE: func(c *cobra.Command, files []string) error {
			for _, f := range files {
				if !strings.HasSuffix(f, ".part") {
					return notAPart(c, f)
				}
				if err := convertPart(f); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.AddCommand(summaryCommand(), mergeCommand(), drawCommand())
	return c
}

// notAPart tells what to do with a word that is no FILE.part.
func notAPart(c *cobra.Command, word string) error {
	if name := settings.Closest(word, commandNames(c)); name != "" {
		return wrongUse("%s is no command; mgpu trace %s is", word, name)
	}
	return wrongUse("%s is no file of records, whose name ends with .part; mgpu trace summary %s tells what a timeline comes to", word, word)
}

// convertPart makes FILE of FILE.part, which stays.
func convertPart(file string) error {
	name := strings.TrimSuffix(file, ".part")
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

func summaryCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "summary FILE",
		Short: "Tell what a timeline comes to",
		Long: "Tell what a timeline (FILE, or FILE.part) comes to: kernels and copies by their time, the longest\n" +
			"waits and what they waited for, and the driver calls beside those of the stock library.",
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := trace.Load(args[0])
			if err != nil {
				return err
			}
			return d.Summary(os.Stdout)
		},
	}
}

func mergeCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "merge -o FILE FILE ...",
		Short: "Put the timelines of several processes into one",
		Args:  arguments(1, -1),
		RunE: func(_ *cobra.Command, files []string) error {
			if out == "" {
				return noOutput()
			}
			var all []*trace.Document
			for _, f := range files {
				d, err := trace.Load(f)
				if err != nil {
					return err
				}
				all = append(all, d)
			}
			return create(out, trace.Merge(all).Write)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the `file` to write")
	return c
}

func drawCommand() *cobra.Command {
	var out string
	var p trace.Picture
	c := &cobra.Command{
		Use:   "draw -o FILE.svg FILE",
		Short: "Draw a timeline, or a part of it, as SVG",
		Args:  arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return noOutput()
			}
			d, err := trace.Load(args[0])
			if err != nil {
				return err
			}
			return create(out, func(w io.Writer) error { return d.Draw(w, p) })
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the `file` to write")
	c.Flags().Float64Var(&p.From, "from", 0, "where to begin, in microseconds")
	c.Flags().Float64Var(&p.To, "to", 0, "where to end (default: the end)")
	c.Flags().IntVar(&p.Width, "width", 0, "pixels (default 1000)")
	return c
}

func noOutput() error { return wrongUse("-o FILE, which says what to write, is missing") }

// create makes a file of what write writes.
func create(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
