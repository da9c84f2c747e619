package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/soft/gcn"
)

func inspectCommand() *cobra.Command {
	var disassemble bool
	c := &cobra.Command{
		Use:   "inspect file...",
		Short: "Tell what a code object holds, and whether the software GPU runs it",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			for _, file := range files {
				image, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				if err := inspect(c.OutOrStdout(), file, image, disassemble); err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&disassemble, "disassemble", "d", false, "print the instructions too")
	return c
}

// inspect describes an image: what it is, what its kernels need and whether
// modules made from it are shared.
func inspect(w io.Writer, name string, image []byte, disassemble bool) error {
	// A text in a file has no NUL at its end, as it has in a program.
	padded := append(bytes.Clone(image), 0)
	kind, length, err := codeobj.Extent(func(buf []byte, off uint64) error {
		if off > uint64(len(padded)) || uint64(len(buf)) > uint64(len(padded))-off {
			return io.ErrUnexpectedEOF
		}
		copy(buf, padded[off:])
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %s, %d bytes\n", name, kind, length)
	reason := codeobj.Unshareable(kind, padded[:length])
	if reason == "" {
		reason = "yes"
	} else {
		reason = "no, " + reason
	}
	fmt.Fprintf(w, "shared between loads: %s\n", reason)
	if kind != codeobj.KindHSACO {
		return nil
	}
	o, err := codeobj.Parse(padded[:length])
	if err != nil {
		return err
	}
	return inspectObject(w, o, disassemble)
}

func inspectObject(w io.Writer, o *codeobj.Object, disassemble bool) error {
	fmt.Fprintf(w, "target: %s, code object version %d\n", o.Target, o.Version)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "kernel\targuments\tkernarg bytes\tVGPRs\tSGPRs\tLDS bytes\tscratch bytes\tcalls the host\tlargest workgroup")
	calls := o.CallGraph()
	for i := range o.Kernels {
		k := &o.Kernels[i]
		explicit := 0
		for j := range k.Args {
			if !k.Args[j].Hidden() {
				explicit++
			}
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%v\t%d\n", k.Name, explicit, k.KernargSize,
			k.VGPRCount, k.SGPRCount, k.GroupSize, k.PrivateSize, calls.HostUse(k), k.MaxFlatWorkgroupSize)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	chip, err := gcn.ParseChip(o.Chip)
	if err != nil {
		fmt.Fprintf(w, "software GPU: %v\n", err)
		return nil
	}
	return listText(w, o, chip, disassemble)
}

// listText decodes the whole text, prints it if asked to, and names the
// instructions that the software GPU decodes but does not execute.
func listText(w io.Writer, o *codeobj.Object, chip gcn.Chip, print bool) error {
	missing := map[string]int{}
	var order []string
	for off := uint32(0); uint64(off) < uint64(len(o.Text.Bytes)); {
		in, err := gcn.Decode(o.Text.Bytes, off, chip)
		if err != nil {
			if print {
				fmt.Fprintf(w, "%8x: %v\n", o.Text.Addr+uint64(off), err)
			}
			off += 4
			continue
		}
		if print {
			for i := range o.Kernels {
				if o.Kernels[i].EntryAddr == o.Text.Addr+uint64(off) {
					fmt.Fprintf(w, "%s:\n", o.Kernels[i].Name)
				}
			}
			fmt.Fprintf(w, "%8x: %s\n", o.Text.Addr+uint64(off), in.String())
		}
		if !gcn.Executable(&in) {
			if missing[in.Row.Name] == 0 {
				order = append(order, in.Row.Name)
			}
			missing[in.Row.Name]++
		}
		off += uint32(in.Size)
	}
	for _, name := range order {
		fmt.Fprintf(w, "software GPU: does not execute %s (%d times)\n", name, missing[name])
	}
	return nil
}
