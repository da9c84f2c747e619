package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

// settingFlags are the flags of mgpu run that set one setting.
var settingFlags = []struct {
	name, setting, usage string
	alone                string // value of the flag without an argument
	rocm                 bool   // the flag may be used with --rocm
}{
	{"driver", "MGPU_DRIVER", "try only this `DRIVER`: hip, cuda, soft or null", "", false},
	{"chip", "MGPU_SOFT_CHIP", "make the software GPU this `CHIP`: gfx906, gfx90a:xnack+, ...", "", true},
	{"check", "MGPU_CHECK", "check kernels for a `LIST` of mistakes: memory, race, uninit, ... or all", "", true},
	{"profile", "MGPU_PROFILE", "report on each kernel at exit: a `LIST` of counts, fidelity or all", "all", true},
	{"graph", "MGPU_GRAPH", "graphs for repeated launches: `MODE` is auto or off", "", false},
	{"trace", "MGPU_TRACE", "record a timeline in `FILE`, mgpu-trace.json by default", "mgpu-trace.json", false},
	{"stats", "MGPU_STATS", "print statistics at exit, or append them to `FILE`", "1", true},
	{"on-error", "MGPU_ON_ERROR", "`HOW` a failed call ends the program: abort, exit or exit:2", "", true},
	{"report", "MGPU_REPORT", "append each failure and finding to `FILE`, one JSON object per line", "", true},
	{"annotate", "MGPU_ANNOTATE", "print failures and findings also for a `SERVICE` that shows them in the source: github", "", true},
}

// addSettingFlags adds the flags to a command. They write to values, by the settings' names.
func addSettingFlags(c *cobra.Command, values map[string]*string) {
	for _, f := range settingFlags {
		values[f.setting] = c.Flags().String(f.name, "", fmt.Sprintf("%s (%s)", f.usage, f.setting))
		c.Flags().Lookup(f.name).NoOptDefVal = f.alone
		_ = c.RegisterFlagCompletionFunc(f.name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeValue(settings.Find(f.setting), typed)
		})
	}
}

// completeValue offers the words of a setting; in a list, after the last comma.
func completeValue(s *settings.Setting, typed string) ([]string, cobra.ShellCompDirective) {
	words, list := s.Words()
	if len(words) == 0 {
		return nil, cobra.ShellCompDirectiveDefault // a file, or unknown
	}
	before := ""
	if list {
		before = typed[:strings.LastIndexByte(typed, ',')+1]
	}
	var out []string
	for _, w := range words {
		if strings.HasPrefix(before+w, typed) {
			out = append(out, before+w)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeVariable offers NAME= of the settings, and then their values.
func completeVariable(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if name, value, ok := strings.Cut(typed, "="); ok {
		s := settings.Find(name)
		if s == nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		values, directive := completeValue(s, value)
		for i := range values {
			values[i] = name + "=" + values[i]
		}
		return values, directive
	}
	var out []string
	for _, s := range settings.All {
		if strings.HasPrefix(s.Name, typed) {
			out = append(out, s.Name+"=\t"+s.Summary())
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// wrongValue returns an error with a setting's allowed values if value is invalid. who is the flag or the variable.
func wrongValue(who, setting, value string) error {
	s := settings.Find(setting)
	switch {
	case s == nil && settings.ForTests(setting):
		return nil
	case s == nil:
		if near := settings.Nearest(setting); near != nil {
			return wrongUse("unknown setting %s: did you mean %s?", setting, near.Name)
		}
		return wrongUse("unknown setting %s (mgpu doctor --all lists them)", setting)
	}
	err := s.Wrong(value)
	switch setting {
	case "MGPU_CHECK":
		_, err = softgpu.AsksForChecks(value)
	case "MGPU_PROFILE":
		_, err = softgpu.AsksForProfile(value)
	case "MGPU_SOFT_CHIP":
		err = softgpu.KnowsChip(value)
	}
	if err != nil {
		return wrongUse("%s=%s: %w", who, value, err)
	}
	return nil
}
