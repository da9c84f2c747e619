package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// settings lists every setting with its value, and variables that look like one.
func (d *doctor) settings() {
	d.heading("settings")
	t := tabwriter.NewWriter(d.out, 0, 0, 2, ' ', 0)
	set := map[string]string{}
	for _, v := range d.env {
		if name, value, ok := strings.Cut(v, "="); ok && strings.HasPrefix(name, "MGPU_") {
			set[name] = value
		}
	}
	for i := range settings.All {
		s := &settings.All[i]
		value, is := set[s.Name]
		if !is || value == "" {
			value = "(" + s.Default + ")"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", s.Name, value, s.Meaning)
	}
	_ = t.Flush()
	for _, problem := range settings.Problems(d.env) {
		d.wrong("%s", problem)
	}
}
