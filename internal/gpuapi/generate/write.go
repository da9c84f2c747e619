package main

import (
	"fmt"
	"slices"
	"strings"
)

// list joins parameters.
func list(params []parameter) string {
	words := make([]string, len(params))
	for i, p := range params {
		words[i] = p.String()
	}
	return strings.Join(words, ", ")
}

// declare is the declaration of a function with prefix before its name.
func (p *prototype) declare(prefix string) string {
	space := " "
	if strings.HasSuffix(p.result, "*") {
		space = ""
	}
	return p.result + space + prefix + p.name + "(" + list(p.params) + ")"
}

// header is calls.h.
func (calls prototypes) header() string {
	var b strings.Builder
	b.WriteString(`/* Code generated from symbols.h of hip and cuda and from calls.def; DO NOT EDIT. */
/* clang-format off */
#ifndef MGPU_GPUAPI_CALLS_H
#define MGPU_GPUAPI_CALLS_H

#include "api.h"

/* The calls, by pointers to a vendor's functions. */
struct calls {
`)
	for _, p := range calls {
		space := " "
		if strings.HasSuffix(p.result, "*") {
			space = ""
		}
		fmt.Fprintf(&b, "  %s%s(*%s)(%s);\n", p.result, space, p.name, list(p.params))
	}
	b.WriteString("};\n\n/* Rows of the vendor's functions that the calls need. */\nstruct call_rows {\n")
	for _, p := range calls {
		fmt.Fprintf(&b, "  int %s;\n", p.name)
	}
	b.WriteString(`};

/* Go calls these, since cgo can't call through a pointer. */
`)
	for _, p := range calls {
		names := make([]string, len(p.params))
		for i, q := range p.params {
			names[i] = q.name
		}
		fmt.Fprintf(&b, "static inline %s {\n  return (*(const struct calls *const *)%s)->%s(%s);\n}\n",
			p.declare("gpu_"), names[0], p.name, strings.Join(names, ", "))
	}
	b.WriteString("\n#endif\n")
	return b.String()
}

// header is a vendor's table.h.
func (l *library) header(calls prototypes) string {
	var b strings.Builder
	guard := "MGPU_" + strings.ToUpper(l.vendor) + "_TABLE_H"
	fmt.Fprintf(&b, `/* Code generated from symbols.h; DO NOT EDIT. */
/* clang-format off */
#ifndef %s
#define %[1]s

#include "../gpuapi/calls.h"

#include "types.h"

/* The addresses of a library's functions. */
struct table {
  const struct calls *calls;
`, guard)
	for _, s := range l.symbols {
		fmt.Fprintf(&b, "  %s (*%s)(%s);\n", s.result, s.name, s.list)
	}
	b.WriteString("  struct state state;\n};\n\n/* Their order. */\nenum {\n")
	for _, s := range l.symbols {
		fmt.Fprintf(&b, "  row_%s,\n", s.name)
	}
	b.WriteString("  rows\n};\n\n/* Each calls the function of its name. */\n")
	for _, s := range l.symbols {
		if s.kind != "SYMBOL" {
			p := s.prototype(s.name)
			fmt.Fprintf(&b, "%s;\n", p.declare("call_"))
		}
	}
	b.WriteString("\n/* These are written by hand. */\n")
	for _, h := range l.byHand {
		fmt.Fprintf(&b, "%s;\n", calls.find(h.call).declare(l.vendor+"_"))
	}
	fmt.Fprintf(&b, `
extern const struct symbol %[1]s_symbols[rows];
extern const struct calls %[1]s_calls;
extern const struct call_rows %[1]s_rows;

#endif
`, l.vendor)
	return b.String()
}

// source is a vendor's table.c.
func (l *library) source(calls prototypes) string {
	var b strings.Builder
	b.WriteString("/* Code generated from symbols.h; DO NOT EDIT. */\n/* clang-format off */\n#include \"calls.h\"\n\n")
	for _, s := range l.symbols {
		if s.kind != "SYMBOL" {
			b.WriteString(s.definition())
		}
	}
	fmt.Fprintf(&b, "const struct symbol %s_symbols[rows] = {\n", l.vendor)
	for _, s := range l.symbols {
		fmt.Fprintf(&b, "  {%q, %t},\n", s.name, s.required)
	}
	fmt.Fprintf(&b, "};\n\nconst struct calls %s_calls = {\n", l.vendor)
	for _, p := range calls {
		f := l.vendor + "_" + p.name
		if !slices.ContainsFunc(l.byHand, func(h hand) bool { return h.call == p.name }) {
			f = "call_" + l.behind(p.name)
		}
		fmt.Fprintf(&b, "  .%s = %s,\n", p.name, f)
	}
	fmt.Fprintf(&b, "};\n\nconst struct call_rows %s_rows = {\n", l.vendor)
	for _, p := range calls {
		fmt.Fprintf(&b, "  .%s = row_%s,\n", p.name, l.behind(p.name))
	}
	b.WriteString("};\n")
	return b.String()
}

// definition is the C function that calls s.
func (s *symbol) definition() string {
	how := "CALL"
	if s.kind == "ASKED" {
		how = "ASK"
	}
	p := s.prototype(s.name)
	var args []string
	for _, q := range s.params {
		args = append(args, "("+q.typ+")"+q.name)
	}
	if s.kind != "GIVING" {
		return fmt.Sprintf("%s {\n  return blame(row_%s, %s(t, %s(%s)));\n}\n\n",
			p.declare("call_"), s.name, how, s.name, strings.Join(args, ", "))
	}
	args[0] = "&value"
	value := parameter{strings.TrimSpace(strings.TrimSuffix(s.params[0].typ, "*")), "value"}
	return fmt.Sprintf("%s {\n  %s = 0;\n  int32_t status = blame(row_%s, %s(t, %s(%s)));\n  return given(status, (uintptr_t)value);\n}\n\n",
		p.declare("call_"), value, s.name, how, s.name, strings.Join(args, ", "))
}
