package main

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// settings lists the settings that are set, or all settings with their values, and variables whose names look like a
// setting's.
func (d *doctor) settings(all bool) {
	d.heading("settings")
	listed := false
	for i := range settings.All {
		s := &settings.All[i]
		value := d.get(s.Name)
		switch {
		case value != "":
			d.say("%s=%s", s.Name, value)
		case all:
			d.say("%s (default: %s)", s.Name, s.Default)
		default:
			continue
		}
		listed = true
		if all {
			fmt.Fprintf(wrapped{d.out}, "    %s\n    values: %s\n", s.Summary(), s.Choices())
		} else {
			d.hint("%s", s.Summary())
		}
	}
	if !listed {
		d.say("none set; --all lists all of them")
	}
	for _, problem := range settings.Problems(d.env) {
		d.wrong("%s", problem)
	}
	d.files()
}
