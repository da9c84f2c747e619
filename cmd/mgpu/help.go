package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wrapHelp has the help of a command and of those below it list flags by flagHelp.
func wrapHelp(root *cobra.Command) {
	cobra.AddTemplateFunc("flagHelp", flagHelp)
	root.SetUsageTemplate(strings.NewReplacer(".LocalFlags.FlagUsages", "flagHelp .LocalFlags",
		".InheritedFlags.FlagUsages", "flagHelp .InheritedFlags").Replace(root.UsageTemplate()))
}

// flagHelp describes flags in two columns, as they are typed and what they do, in lines of at most columns characters.
func flagHelp(flags *pflag.FlagSet) string {
	var terms, usages []string
	widest := 0
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		term := "  " + flagTerm(f)
		if f.Shorthand == "" {
			term = "      " + flagTerm(f)
		}
		_, usage := pflag.UnquoteUsage(f)
		switch f.DefValue {
		case "", "0", "false", "[]":
		default:
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		terms, usages = append(terms, term), append(usages, usage)
		widest = max(widest, len(term))
	})
	var out strings.Builder
	for i, usage := range usages {
		line := fmt.Sprintf("%-*s", widest+2, terms[i])
		for _, word := range strings.Fields(usage) {
			if len(line)+1+len(word) > columns {
				out.WriteString(line + "\n")
				line = strings.Repeat(" ", widest+2)
			}
			line += " " + word
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}
