package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/internal/timeline"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

func traceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "trace FILE ...",
		Short: "Make, summarize, merge and draw timelines",
		Long: "Make timelines, which ui.perfetto.dev and chrome://tracing open. A program that runs with\n" +
			"MGPU_TRACE=FILE leaves its records in FILE.part, however it ends; the timeline goes into FILE.\n" +
			"The program may still be running. mgpu run --trace does this when the program has ended.",
		Args: arguments(1, -1),
		RunE: func(c *cobra.Command, files []string) error {
			for _, f := range files {
				if !strings.HasSuffix(f, trace.PartSuffix) { // f is the name in MGPU_TRACE
					if _, err := os.Stat(f + trace.PartSuffix); err != nil {
						return noRecords(c, f)
					}
					f += trace.PartSuffix
				}
				if err := convertPart(c.OutOrStdout(), f); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.AddCommand(summaryCommand(), mergeCommand(), drawCommand())
	return c
}

// noRecords returns an error for a word that names no records.
func noRecords(c *cobra.Command, word string) error {
	if name := settings.Closest(word, commandNames(c)); name != "" {
		return wrongUse("unknown command mgpu trace %s: did you mean 'mgpu trace %s'?", word, name)
	}
	if _, err := os.Stat(word); err != nil {
		return fmt.Errorf("%s: %w", word, reason(err))
	}
	return wrongUse("no records: %s%s does not exist; mgpu trace summary %s reads a timeline", word, trace.PartSuffix, word)
}

// convertPart makes FILE from FILE.part, which is not removed.
func convertPart(w io.Writer, file string) error {
	name := strings.TrimSuffix(file, trace.PartSuffix)
	p, err := timeline.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, reason(err))
	}
	if p.CutAt != 0 {
		fmt.Fprintf(os.Stderr, "mgpu: %s: cut short at byte %d: the rest is missing\n", file, p.CutAt)
	}
	c, err := timeline.WriteFile(timeline.NewTimeline(p), name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: %v\n", name, c)
	return err
}

func summaryCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "summary FILE",
		Short: "Summarize a timeline",
		Long: "Summarize a timeline, or the records in FILE.part: kernels and copies by their time, the longest\n" +
			"waits and what they waited for, and the driver calls, compared with those of MLIR's library.",
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := timeline.Load(args[0])
			if err != nil {
				return err
			}
			return d.Summary(c.OutOrStdout())
		},
	}
}

func mergeCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "merge -o FILE FILE ...",
		Short: "Merge the timelines of several processes",
		Args:  arguments(1, -1),
		RunE: func(_ *cobra.Command, files []string) error {
			if out == "" {
				return noOutput()
			}
			var all []*timeline.Document
			for _, f := range files {
				d, err := timeline.Load(f)
				if err != nil {
					return err
				}
				all = append(all, d)
			}
			return create(out, timeline.Merge(all).Write)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the `FILE` to write")
	return c
}

func drawCommand() *cobra.Command {
	var out string
	var p timeline.Picture
	c := &cobra.Command{
		Use:   "draw -o FILE.svg FILE",
		Short: "Draw a timeline, or a part of it, as SVG",
		Args:  arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return noOutput()
			}
			for _, name := range []string{"from", "to", "last"} {
				if us, _ := c.Flags().GetFloat64(name); math.IsNaN(us) || math.IsInf(us, 0) || us < 0 {
					return wrongUse("--%s=%v: expected %s", name, us, aTime)
				}
			}
			if c.Flags().Changed("last") && (c.Flags().Changed("from") || c.Flags().Changed("to")) {
				return wrongUse("--last goes without --from and --to")
			}
			if c.Flags().Changed("to") && p.To <= p.From {
				return wrongUse("--to %v is not after --from %v", p.To, p.From)
			}
			if c.Flags().Changed("width") && p.Width < timeline.LeastWidth {
				return wrongUse("--width %d: expected %s", p.Width, aWidth)
			}
			d, err := timeline.Load(args[0])
			if err != nil {
				return err
			}
			var svg bytes.Buffer
			if err := d.Draw(&svg, p); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return create(out, func(w io.Writer) error {
				_, err := svg.WriteTo(w)
				return err
			})
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the `FILE` to write")
	c.Flags().Float64Var(&p.From, "from", 0, "begin at `MICROSECONDS`")
	c.Flags().Float64Var(&p.To, "to", 0, "end at `MICROSECONDS` (default: the end)")
	c.Flags().Float64Var(&p.Last, "last", 0, "draw the last `MICROSECONDS`")
	c.Flags().IntVar(&p.Width, "width", 0, "width of the picture in `PIXELS` (default 1000)")
	takes(c, "from", aTime)
	takes(c, "to", aTime)
	takes(c, "last", aTime)
	takes(c, "width", aWidth)
	return c
}

// Descriptions of the values that flags of mgpu trace draw take.
const aTime = "a time in microseconds"

var aWidth = fmt.Sprintf("a number of pixels from %d", timeline.LeastWidth)

func noOutput() error { return wrongUse("-o FILE, which says what to write, is missing") }

// create writes a file with the output of write.
func create(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NONBLOCK, 0o666) // don't wait for the reader of a pipe
	if err != nil {
		return err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
