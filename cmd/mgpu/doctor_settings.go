package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// settings lists the settings that are set, or all of them with what they may be, and
// variables that look like one.
func (d *doctor) settings(all bool) {
	d.heading("settings")
	t := tabwriter.NewWriter(d.out, 0, 0, 2, ' ', 0)
	listed := false
	for i := range settings.All {
		s := &settings.All[i]
		value, values := d.get(s.Name), ""
		if value == "" && !all {
			continue
		}
		if all {
			values = s.Choices() + "\t"
		}
		if value == "" {
			value = "(" + s.Default + ")"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s%s\n", s.Name, value, values, s.Summary())
		listed = true
	}
	_ = t.Flush()
	if !listed {
		d.say("none is set; --all lists them")
	}
	for _, problem := range settings.Problems(d.env) {
		d.wrong("%s", problem)
	}
	d.files()
}
