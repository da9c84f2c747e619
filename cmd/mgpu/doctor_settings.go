package main

import (
	"fmt"
	"sort"
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
	var unfit []*settings.Setting
	for i := range settings.All {
		s := &settings.All[i]
		value, is := set[s.Name]
		delete(set, s.Name)
		switch {
		case !is || value == "":
			value = "(" + s.Default + ")"
		case !s.Accepts(value):
			unfit = append(unfit, s)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", s.Name, value, s.Meaning)
	}
	_ = t.Flush()
	for _, s := range unfit {
		d.wrong("%s=%s: it is %s", s.Name, d.get(s.Name), strings.Join(s.Values, ", "))
	}
	var unknown []string
	for name := range set {
		unknown = append(unknown, name)
	}
	sort.Strings(unknown)
	for _, name := range unknown {
		if near := settings.Nearest(name); near != nil {
			d.wrong("%s is no setting; %s is", name, near.Name)
		} else {
			d.wrong("%s is no setting", name)
		}
	}
}
