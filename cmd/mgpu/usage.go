package main

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// A usage error prints one line that says what is right, and exits with status 2.

func wrongUse(format string, args ...any) error {
	return failure{fmt.Errorf(format, args...), statusWrongUse}
}

// arguments checks the number of arguments; most < 0 means any number. Otherwise it prints the usage.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return wrongUse("too %s arguments; usage: %s", map[bool]string{true: "few", false: "many"}[len(args) < least], c.UseLine())
		}
		return nil
	}
}

// noSuchCommand refuses arguments that are not subcommands of a command.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	near := ""
	if name := settings.Closest(args[0], commandNames(c)); name != "" {
		near = fmt.Sprintf(": did you mean '%s %s'?", c.CommandPath(), name)
	} else if _, err := exec.LookPath(args[0]); err == nil && !c.HasParent() {
		near = ": 'mgpu run " + args[0] + "' runs the program"
	}
	_, below, _ := strings.Cut(c.CommandPath(), " ")
	return wrongUse("unknown command %s%s (%s lists them)", args[0], near, strings.TrimSpace("mgpu help "+below))
}

// helpCommand prints what a command does. An unknown command is a usage error.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noSuchCommand(of, rest)
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) (names []string, _ cobra.ShellCompDirective) {
			if of, _, err := c.Root().Find(args); err == nil {
				for _, sub := range of.Commands() {
					if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
						names = append(names, sub.Name()+"\t"+sub.Short)
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// takes sets the text for invalid values of a flag.
func takes(c *cobra.Command, flag, what string) {
	_ = c.Flags().SetAnnotation(flag, takesKey, []string{what})
}

const takesKey = "takes"

// wrongFlag adds to a parser's error the values that a flag may have, or the flag with the nearest name.
func wrongFlag(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		what := "true or false"
		if said := value.GetFlag().Annotations[takesKey]; said != nil {
			what = said[0]
		}
		return wrongUse("--%s=%s: expected %s", value.GetFlag().Name, value.GetValue(), what)
	}
	_, name, unknown := strings.Cut(err.Error(), "unknown flag: --")
	near := ""
	if unknown {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if name = settings.Closest(name, names); name != "" {
			near = ": did you mean --" + name + "?"
		}
	}
	return wrongUse("%w%s (%s --help lists them)", err, near, c.CommandPath())
}
