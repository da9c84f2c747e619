package main

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/internal/input"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

func inspectCommand() *cobra.Command {
	var show shown
	c := &cobra.Command{
		Use:   "inspect [flags] file...",
		Short: "List the device code in a file, and what the software GPU refuses of it",
		Long: "List the device code in a file: a code object, a bundle, a fat binary, PTX, or a program,\n" +
			"a library, MLIR (text or bytecode) or LLVM IR (text) that contains such code.",
		Args: arguments(1, -1),
		RunE: func(c *cobra.Command, files []string) error {
			for _, file := range files {
				if err := inspectFile(c.OutOrStdout(), file, show); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&show.text, "disassemble", "d", false, "also print the instructions")
	c.Flags().BoolVar(&show.waits, "waits", false, "look for missing s_waitcnt along all branches, without running anything")
	return c
}

// shown is what inspect prints besides the list of kernels.
type shown struct {
	text  bool // print the instructions
	waits bool // print missing waits
}

func inspectFile(w io.Writer, name string, show shown) error {
	f, err := input.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	noImage := inspect(w, name, f, show)
	if noImage == nil {
		return nil
	}
	found, err := inspectWithin(w, name, f, show)
	if err != nil && !found {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err != nil || found {
		return err
	}
	return fmt.Errorf("%s: no device code in it: %w", name, noImage)
}

// inspectWithin describes the images in a file, if there are any.
func inspectWithin(w io.Writer, name string, f *os.File, show shown) (found bool, err error) {
	file, err := input.ReadAll(f, mostRead)
	if err != nil {
		return false, fmt.Errorf("no device code at its beginning, and %w", err)
	}
	for _, image := range codeobj.Find(file) {
		place := fmt.Sprintf("%s, byte %d%s", name, image.Offset, sectionOf(f, image.Offset))
		if image.Escaped && bytes.IndexByte(file[:image.Offset], 0) < 0 {
			place = fmt.Sprintf("%s, line %d", name, 1+bytes.Count(file[:image.Offset], []byte("\n")))
		}
		if err := describeImage(w, place, image.Kind, image.Image, show); err != nil {
			return true, fmt.Errorf("%s: %w", place, err)
		}
		found = true
	}
	return found, nil
}

// sectionOf returns the section of an ELF file that contains a byte, in parentheses; empty if none does.
func sectionOf(f *os.File, at int) string {
	file, err := input.NewELF(f)
	if err != nil {
		return ""
	}
	for _, s := range file.Sections {
		if s.Type != elf.SHT_NOBITS && s.Offset <= uint64(at) && uint64(at) < s.Offset+s.FileSize {
			return " (" + s.Name + ")"
		}
	}
	return ""
}

// mostRead is the length of the largest image that codeobj.Extent accepts.
const mostRead = 2 << 30

// beginning is the part of a file that was read so far. At the end of the file a NUL is added, which PTX text has in a
// program and not in a file.
type beginning struct {
	file  io.Reader
	bytes bytes.Buffer
	err   error // why no more can be read
}

// upTo returns the first n bytes. It reads no more from the file, which may have no end.
func (b *beginning) upTo(n uint64) ([]byte, error) {
	if n > mostRead {
		return nil, fmt.Errorf("byte %d is beyond 2 GiB", n)
	}
	if have := uint64(b.bytes.Len()); have < n && b.err == nil {
		if _, b.err = io.CopyN(&b.bytes, b.file, int64(n-have)); b.err == io.EOF {
			b.bytes.WriteByte(0)
		}
	}
	switch {
	case uint64(b.bytes.Len()) >= n:
		return b.bytes.Bytes()[:n], nil
	case b.err == io.EOF:
		return nil, fmt.Errorf("the file ends at byte %d", b.bytes.Len()-1)
	default:
		return nil, b.err
	}
}

// image returns the image at the beginning of the file. PTX includes its NUL.
func (b *beginning) image() (codeobj.Kind, []byte, error) {
	if _, err := b.upTo(1); err == nil && b.err == io.EOF {
		return codeobj.KindUnknown, nil, errors.New("the file is empty")
	}
	kind, length, err := codeobj.Extent(func(buf []byte, off uint64) error {
		read, err := b.upTo(max(off, off+uint64(len(buf))))
		if err != nil {
			return err
		}
		copy(buf, read[off:])
		return nil
	})
	if err != nil {
		return kind, nil, err
	}
	image, err := b.upTo(length)
	if err == nil && kind != codeobj.KindPTX && b.err == io.EOF && length == uint64(b.bytes.Len()) {
		err = fmt.Errorf("the file ends at byte %d", length-1)
	}
	if err != nil {
		return kind, nil, fmt.Errorf("%v of %d bytes by its headers: %w", kind, length, err)
	}
	return kind, image, nil
}

// inspect describes the image in a file: its kind, what its kernels need, and whether modules made from it are shared.
func inspect(w io.Writer, name string, file io.Reader, show shown) error {
	b := beginning{file: file}
	kind, image, err := b.image()
	if err != nil {
		return err
	}
	return describeImage(w, name, kind, image, show)
}

// describeImage describes an image, and each code object of a bundle.
func describeImage(w io.Writer, name string, kind codeobj.Kind, image []byte, show shown) error {
	fmt.Fprintf(w, "%s: %s, %s\n", name, kind, count.Of(len(image), "byte"))
	reason := codeobj.Unshareable(kind, image)
	if reason == "" {
		reason = "yes"
	} else {
		reason = "no, " + reason
	}
	fmt.Fprintf(w, "shared between loads: %s\n", reason)
	switch kind {
	case codeobj.KindHSACO:
		o, err := codeobj.Parse(image)
		if err != nil {
			return err
		}
		return inspectObject(w, o, show)
	case codeobj.KindBundle:
		return inspectBundle(w, image, show)
	case codeobj.KindCompressedBundle:
		fmt.Fprintln(w, codeobj.Unpack)
	}
	return nil
}

func inspectBundle(w io.Writer, bundle []byte, show shown) error {
	entries, err := codeobj.Entries(bundle)
	if err != nil {
		return err
	}
	for _, e := range entries {
		kind, err := codeobj.KindOf(e.Image)
		if err != nil { // an entry of the host, or empty
			fmt.Fprintf(w, "entry %s: %s\n", e.ID, count.Of(len(e.Image), "byte"))
			continue
		}
		if err := describeImage(w, "entry "+e.ID, kind, e.Image, show); err != nil {
			return fmt.Errorf("entry %s: %w", e.ID, err)
		}
	}
	return nil
}

func inspectObject(w io.Writer, o *codeobj.Object, show shown) error {
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
	if kernels := hip.Crashes(5, 2, o); len(kernels) > 0 {
		fmt.Fprintf(w, "HIP 5.2 crashes when it launches %s: %s\n", listed(kernels), hip.WhyCrashes)
	}
	text, err := softgpu.Disassemble(o)
	if err != nil {
		fmt.Fprintf(w, "software GPU: %s: %v\n", o.Chip, err)
		return nil
	}
	listText(w, o, text, show.text)
	if show.waits {
		return listWaits(w, o)
	}
	return nil
}

// listText prints the text if print is set, and names the instructions that the software GPU decodes but does not
// execute.
func listText(w io.Writer, o *codeobj.Object, text iter.Seq[softgpu.Instruction], print bool) {
	missing := map[string]int{}
	var order []string
	for in := range text {
		if print {
			for i := range o.Kernels {
				if o.Kernels[i].EntryAddr == in.Address && in.Err == nil {
					fmt.Fprintf(w, "%s:\n", o.Kernels[i].Name)
				}
			}
		}
		switch {
		case in.Err != nil && print:
			fmt.Fprintf(w, "%8x: %v\n", in.Address, in.Err)
		case in.Err == nil && print:
			fmt.Fprintf(w, "%8x: %s\n", in.Address, in.Text())
		}
		if in.Err == nil && !in.Executable {
			if missing[in.Name] == 0 {
				order = append(order, in.Name)
			}
			missing[in.Name]++
		}
	}
	for _, name := range order {
		fmt.Fprintf(w, "software GPU: does not execute %s (%s)\n", name, count.Of(missing[name], "time"))
	}
}

// listWaits prints the waits that are missing in the text.
func listWaits(w io.Writer, o *codeobj.Object) error {
	missing, err := softgpu.MissingWaits(o)
	if err != nil {
		return err
	}
	functions := o.Functions()
	place := func(addr uint64) string {
		for _, f := range functions {
			if f.Start <= addr && addr < f.End {
				return fmt.Sprintf("%s+%#x", f.Name, addr-f.Start)
			}
		}
		return fmt.Sprintf("%#x", addr)
	}
	for _, m := range missing {
		fmt.Fprintf(w, "missing wait at %s: %s,\n  which `%s` at %s writes: it needs `%s` in between\n",
			place(m.Address), m.What, m.UnderWay, place(m.Under), m.Needs)
	}
	if len(missing) == 0 {
		fmt.Fprintln(w, "missing waits: none found")
	}
	return nil
}
