package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/hip"
)

// doctor checks a machine and an environment and writes what it finds.
type doctor struct {
	out     io.Writer
	env     []string
	devices []string // files that exist if there are GPUs
	openers []opener
	limit   func() uint64 // limit of the process's address space, in bytes

	used     string // driver that programs use; empty: none
	problems int
}

func doctorCommand() *cobra.Command {
	var library string
	var all bool
	c := &cobra.Command{
		Use:   "doctor [flags] [program]",
		Short: "Check this machine, its settings, and the library and code of a program",
		Long: "Check the drivers of this machine, with the reasons of those that can't be opened, their devices,\n" +
			"the settings and " + libraryName + ". Of a program also check which library it would load,\n" +
			"and the chip of its code. Nothing is changed. Lines that begin with ! name problems; the status is\n" +
			"then 1.",
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			d := &doctor{out: c.OutOrStdout(), env: os.Environ(), devices: gpuPaths, openers: openers(), limit: addressLimit}
			if isTerminal(d.out) {
				d.out = wrapped{d.out} // not in a pipe, whose reader may expect whole lines
			}
			d.heading(ownVersion())
			o := runOptions{library: library}
			path, err := o.find(libraryName)
			d.library(path, err)
			for _, program := range args {
				d.program(program)
			}
			d.drivers()
			for _, program := range args {
				d.code(program)
			}
			d.rocm(new(runOptions).find, hip.Places) // --library is not the stand-in for AMD's driver
			for _, program := range args {
				d.programOnROCm(program, hip.Places)
			}
			d.settings(all)
			return d.verdict()
		},
	}
	libraryFlag(c, &library)
	c.Flags().BoolVar(&all, "all", false, "also list the settings that are not set, with their values")
	return c
}

func (d *doctor) heading(text string) { fmt.Fprintf(d.out, "%s\n", text) }

func (d *doctor) say(format string, args ...any) { fmt.Fprintf(d.out, "  "+format+"\n", args...) }

// wrong writes a problem, and counts it.
func (d *doctor) wrong(format string, args ...any) {
	d.problems++
	d.say("! "+format, args...)
}

// hint writes a line about what may help.
func (d *doctor) hint(format string, args ...any) { d.say("  "+format, args...) }

func (d *doctor) verdict() error {
	switch d.problems {
	case 0:
		d.heading("no problems found")
		return nil
	case 1:
		return errors.New("1 problem: see the line that begins with \"!\"")
	}
	return fmt.Errorf("%d problems: see the lines that begin with \"!\"", d.problems)
}
