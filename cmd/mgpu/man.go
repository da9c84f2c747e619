package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mgpu-runtime/mgpu/include"
	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// manCommand writes the pages that make install puts into share/man/man1.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man folder",
		Short:  "Write the commands' manual pages into a folder",
		Args:   arguments(1, 1),
		Hidden: true,
		RunE:   func(c *cobra.Command, args []string) error { return writePages(c.Root(), args[0]) },
	}
}

// writePages writes a page for the command and for each of its commands.
func writePages(c *cobra.Command, folder string) error {
	c.InitDefaultHelpFlag()
	err := create(filepath.Join(folder, pageName(c)+".1"), func(w io.Writer) error {
		_, err := io.WriteString(w, page(c))
		return err
	})
	for _, sub := range pagesBelow(c) {
		if err == nil {
			err = writePages(sub, folder)
		}
	}
	return err
}

// settingsAddress is the address of the settings' page, for users without a clone.
const settingsAddress = "https://github.com/mgpu-runtime/mgpu/blob/main/docs/settings.md"

// roff is the text of a manual page.
type roff struct{ strings.Builder }

// text escapes roff's own syntax.
func (r *roff) text(s string) {
	for _, line := range strings.Split(strings.TrimSpace(s), "\n") {
		line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		r.WriteString(line + "\n")
	}
}

func (r *roff) section(name, text string) {
	fmt.Fprintf(r, ".SH %s\n", name)
	if text != "" {
		r.text(text)
	}
}

// item writes a term with its meaning.
func (r *roff) item(term, meaning string) {
	r.WriteString(".TP\n.B ")
	r.text(term)
	r.text(meaning)
}

func page(c *cobra.Command) string {
	var r roff
	name := pageName(c)
	fmt.Fprintf(&r, ".\\\" Written by mgpu man.\n.TH %q 1 \"\" \"mgpu %s\" \"mgpu\"\n", strings.ToUpper(name), include.Version())
	r.section("NAME", name+" - "+c.Short)
	usage := c.UseLine()
	if c.HasAvailableSubCommands() && !c.HasParent() {
		usage = c.CommandPath() + " command ..."
	}
	r.section("SYNOPSIS", usage)
	if c.Long != "" {
		r.section("DESCRIPTION", c.Long)
	}
	if below := pagesBelow(c); len(below) > 0 {
		r.section("COMMANDS", "")
		for _, sub := range below {
			r.item(sub.CommandPath(), sub.Short)
		}
	}
	r.section("OPTIONS", "")
	c.Flags().VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		r.item(flagTerm(f), usage)
	})
	if c.Example != "" {
		r.section("EXAMPLES", "")
		r.WriteString(".nf\n")
		r.text(c.Example)
		r.WriteString(".fi\n")
	}
	if !c.HasParent() {
		r.section("ENVIRONMENT", "The library reads these at the program's first call; none has to be set. More about them:\n"+settingsAddress)
		for _, s := range settings.All {
			r.item(s.Name, fmt.Sprintf("%s.\nValues: %s. Default: %s.", s.Summary(), s.Choices(), s.Default))
		}
	}
	if related := relatedPages(c); len(related) > 0 {
		r.section("SEE ALSO", strings.Join(related, ", "))
	}
	return r.String()
}

// flagTerm returns a flag as it is typed: "-o, --output string".
func flagTerm(f *pflag.Flag) string {
	kind, _ := pflag.UnquoteUsage(f)
	term := "--" + f.Name
	if f.Shorthand != "" {
		term = "-" + f.Shorthand + ", " + term
	}
	switch {
	case kind != "" && f.NoOptDefVal != "":
		term += "[=" + kind + "]"
	case kind != "":
		term += " " + kind
	}
	return term
}

func relatedPages(c *cobra.Command) (names []string) {
	if c.HasParent() {
		names = append(names, pageName(c.Parent())+"(1)")
	}
	for _, sub := range pagesBelow(c) {
		names = append(names, pageName(sub)+"(1)")
	}
	return names
}

// pagesBelow returns the commands of c that have a page; those that cobra adds have none.
func pagesBelow(c *cobra.Command) (subs []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" && sub.Name() != "completion" {
			subs = append(subs, sub)
		}
	}
	return subs
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }
