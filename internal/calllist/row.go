package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// row is a row of the table.
type row struct {
	name, statistics, fails, region string
	arguments                       []argument
	creates                         string
	drops                           []string
	effect, submits                 string
	kept, annotates, ignores        bool // ignores: the call submits nothing to its stream
}

// argument is an argument that is recorded, at its place in the record.
type argument struct {
	kind, expression string
	at               int
}

// effects maps the words of a row to Go's constants of effects.
var effects = map[string]string{
	"marks event": "MarksEvent", "follows event": "FollowsEvent", "waits event": "WaitsEvent", "waits stream": "WaitsStream",
	"begins region": "BeginsRegion", "ends region": "EndsRegion", "sets device": "SetsDevice", "finds function": "FindsFunction",
}

// places maps arguments to their fixed places in a record.
var places = map[string]int{"bytes": 2, "stream": 3}

func (r *row) counted() bool { return r.statistics == "driver" || r.statistics == "cached" }

// read reads the table. declared has the functions of the public header.
func read(table string, declared map[string]function) ([]row, error) {
	var rows []row
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := readRow(line, declared)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		if n := len(rows); r.counted() && n > 0 && !rows[n-1].counted() {
			return nil, fmt.Errorf("%s stands after an unlisted call", r.name)
		}
		rows = append(rows, r)
	}
	if len(rows) != len(declared) {
		return nil, fmt.Errorf("%d rows, and the header declares %d functions", len(rows), len(declared))
	}
	return rows, nil
}

func readRow(line string, declared map[string]function) (r row, err error) {
	f := strings.Fields(line)
	if len(f) < 6 {
		return r, fmt.Errorf("a row has a name, statistics, fails, region, arguments, and what the call does")
	}
	r = row{name: f[0], statistics: f[1], fails: f[2], region: f[3]}
	known, ok := declared[r.name]
	switch {
	case !ok:
		return r, fmt.Errorf("the header does not declare it")
	case !slices.Contains([]string{"driver", "cached", "unlisted", "alone"}, r.statistics):
		return r, fmt.Errorf("no statistics are %q", r.statistics)
	case !slices.Contains([]string{"recorded", "told", "ends", "beside", "itself"}, r.region):
		return r, fmt.Errorf("nothing becomes of a region by %q", r.region)
	}
	if err := r.readArguments(f[4], known.parameters); err != nil {
		return r, err
	}
	if err := r.readEffects(strings.Join(f[5:], " ")); err != nil {
		return r, err
	}
	return r, r.check(known)
}

var words = regexp.MustCompile(`[a-zA-Z_]\w*`)

func (r *row) readArguments(text string, parameters []string) error {
	if text == "-" {
		return nil
	}
	values := 0
	for _, one := range strings.Split(text, ",") {
		kind, expression, ok := strings.Cut(one, "=")
		if !ok {
			expression = kind
		}
		at, fixed := places[kind]
		if !fixed {
			at = values
			values++
		}
		used := words.FindAllString(expression, -1)
		if used = slices.DeleteFunc(used, func(w string) bool { return w == "low16" }); kind != "launch" && !slices.ContainsFunc(used, func(w string) bool { return slices.Contains(parameters, w) }) {
			return fmt.Errorf("%q is not a parameter of the function", expression)
		}
		r.arguments = append(r.arguments, argument{kind, expression, at})
	}
	if values > places["bytes"] {
		return fmt.Errorf("a record has room for two arguments, bytes and a stream")
	}
	return nil
}

func (r *row) readEffects(text string) error {
	if text == "-" {
		return nil
	}
	for _, one := range strings.Split(text, ", ") {
		verb, what, _ := strings.Cut(one, " ")
		switch effect := effects[one]; {
		case one == "kept":
			r.kept = true
		case one == "annotates":
			r.annotates = true
		case one == "ignores stream", one == "asks stream":
			r.ignores = true
		case verb == "creates":
			r.creates = what
		case verb == "drops":
			r.drops = strings.Split(what, "|")
		case r.effect != "":
			return fmt.Errorf("%q, and something else before", one)
		case verb == "submits" && what != "":
			r.effect, r.submits = "SubmitsWork", what
		case effect != "":
			r.effect = effect
		default:
			return fmt.Errorf("no call %q", one)
		}
	}
	return nil
}

// check returns an error for a row that leaves out something required.
func (r *row) check(f function) error {
	records := r.region == "recorded" || r.region == "ends" || r.region == "itself"
	ordered := r.submits != "" || r.effect == "EndsRegion" || r.effect == "MarksEvent" || r.effect == "FollowsEvent"
	said := r.effect != "" || r.drops != nil || r.ignores || r.annotates
	switch {
	case ordered && !records:
		return fmt.Errorf("work that a region neither records nor ends at would run before the region's")
	case slices.Contains(f.parameters, "stream") && !said:
		return fmt.Errorf("it takes a stream: what for?")
	case r.drops != nil && !slices.Equal(r.drops, []string{"session"}) && !slices.ContainsFunc(r.arguments, func(a argument) bool { return slices.Contains(r.drops, a.kind) }):
		return fmt.Errorf("it drops none of its arguments")
	case (r.fails == "-") != f.void:
		return fmt.Errorf("the header says what it returns: fails is - where that is nothing")
	}
	return nil
}
