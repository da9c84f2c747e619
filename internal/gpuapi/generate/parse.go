package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// parameter is a parameter of a C function. It may lack a name if only C calls the function.
type parameter struct{ typ, name string }

func (p parameter) String() string {
	if p.name == "" || strings.HasSuffix(p.typ, "*") {
		return p.typ + p.name
	}
	return p.typ + " " + p.name
}

// prototype is the prototype of a C function.
type prototype struct {
	result, name string
	params       []parameter
}

// prototypes are the calls that package gpuapi makes, in the order of struct calls.
type prototypes []prototype

func (calls prototypes) find(name string) *prototype {
	if i := slices.IndexFunc(calls, func(p prototype) bool { return p.name == name }); i >= 0 {
		return &calls[i]
	}
	return nil
}

var (
	comment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	function = regexp.MustCompile(`^(.*[ *])(\w+)\((.*)\)$`)
)

// parsePrototypes reads calls.def.
func parsePrototypes(text string) (calls prototypes, err error) {
	for line := range strings.SplitSeq(comment.ReplaceAllString(text, ""), ";") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		m := function.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%q is not a prototype", line)
		}
		params, err := named(m[3])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m[2], err)
		}
		if calls.find(m[2]) != nil {
			return nil, fmt.Errorf("%s has two prototypes", m[2])
		}
		calls = append(calls, prototype{strings.TrimSpace(m[1]), m[2], params})
	}
	return calls, nil
}

var parameterName = regexp.MustCompile(`^(.*\w.*[ *])(\w+)$`)

// named splits a list of named parameters.
func named(list string) (params []parameter, err error) {
	for p := range strings.SplitSeq(list, ",") {
		m := parameterName.FindStringSubmatch(strings.TrimSpace(p))
		if m == nil {
			return nil, fmt.Errorf("the parameter %q has no name", strings.TrimSpace(p))
		}
		params = append(params, parameter{strings.TrimSpace(m[1]), m[2]})
	}
	return params, nil
}

// symbol is a function of a vendor's library.
type symbol struct {
	kind     string // SYMBOL, CALLED, GIVING or ASKED
	required bool
	result   string
	name     string
	list     string      // the parameters as in the line
	params   []parameter // the parameters, if call_NAME is generated
	call     string      // the call that uses the function; empty: none
}

// library is the contents of a symbols.h.
type library struct {
	vendor  string
	symbols []symbol
	byHand  []hand
}

// hand is a call that the vendor writes by hand, with the function that it needs.
type hand struct{ call, name string }

var (
	row = regexp.MustCompile(`(?m)^(SYMBOL|CALLED|GIVING|ASKED|BY_HAND)\((.*)$`)

	symbolRow = regexp.MustCompile(`^(required|optional), ([^,]+), (\w+), \(([^()]*)\)\)$`)
	calledRow = regexp.MustCompile(`^(required|optional), (\w+), \(([^()]*)\)(?:, (\w+))?\)$`)
	handRow   = regexp.MustCompile(`^(\w+), (\w+)\)$`)
)

// parseSymbols reads a symbols.h.
func parseSymbols(vendor, text string) (*library, error) {
	l := &library{vendor: vendor}
	for _, r := range row.FindAllStringSubmatch(text, -1) {
		kind, rest := r[1], r[2]
		bad := fmt.Errorf("%q is not a line of this kind", r[0])
		switch kind {
		case "BY_HAND":
			m := handRow.FindStringSubmatch(rest)
			if m == nil {
				return nil, bad
			}
			l.byHand = append(l.byHand, hand{m[1], m[2]})
		case "SYMBOL":
			m := symbolRow.FindStringSubmatch(rest)
			if m == nil {
				return nil, bad
			}
			l.symbols = append(l.symbols, symbol{kind: kind, required: m[1] == "required", result: m[2], name: m[3], list: m[4]})
		default:
			m := calledRow.FindStringSubmatch(rest)
			if m == nil {
				return nil, bad
			}
			params, err := named(m[3])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m[2], err)
			}
			l.symbols = append(l.symbols, symbol{kind, m[1] == "required", vendor + "_status", m[2], m[3], params, m[4]})
		}
	}
	return l, nil
}

// prototype returns the prototype of the C function that calls s with integers for its parameters.
func (s *symbol) prototype(name string) prototype {
	p := prototype{"int32_t", name, []parameter{{"table *", "t"}}}
	params := s.params
	if s.kind == "GIVING" {
		p.result, params = "struct given", params[1:]
	}
	for _, q := range params {
		p.params = append(p.params, parameter{"uintptr_t", q.name})
	}
	return p
}

// functionOf returns the library's function for a call; empty if the library has no line for the call.
func (l *library) functionOf(call string) string {
	for _, s := range l.symbols {
		if s.call == call {
			return s.name
		}
	}
	for _, h := range l.byHand {
		if h.call == call {
			return h.name
		}
	}
	return ""
}

// check reports calls that have no line or two lines, or whose number of parameters differs between vendors.
func (l *library) check(calls prototypes) error {
	lines := map[string]int{}
	for _, s := range l.symbols {
		if s.call == "" {
			continue
		}
		lines[s.call]++
		p, q := calls.find(s.call), s.prototype(s.call)
		if p.result != q.result || len(p.params) != len(q.params) {
			return fmt.Errorf("%s does not fit the call %s: %s, but %s elsewhere", s.name, s.call, q.declare(""), p.declare(""))
		}
	}
	for _, h := range l.byHand {
		lines[h.call]++
		if calls.find(h.call) == nil {
			return fmt.Errorf("calls.def has no %s", h.call)
		}
		if !slices.ContainsFunc(l.symbols, func(s symbol) bool { return s.name == h.name }) {
			return fmt.Errorf("the call %s needs %s, which has no line", h.call, h.name)
		}
	}
	for _, p := range calls {
		if lines[p.name] != 1 {
			return fmt.Errorf("the call %s has %d lines instead of one", p.name, lines[p.name])
		}
	}
	return nil
}
