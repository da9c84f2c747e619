package random

import (
	"fmt"
	"regexp"
	"strings"
)

// writer writes a program's text for one side.
type writer struct {
	strings.Builder
	p    *Program
	used map[*Value]bool
	host bool
	// host only: values that a later group of statements needs are in arrays.
	kept map[*Value]bool
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

var (
	blockMark   = regexp.MustCompile(`(?m)^\{block(\d)\}$`)
	privateMark = regexp.MustCompile(`\{pvt:(\w+)\}`)
)

const (
	workgroupSpace = ", #gpu.address_space<workgroup>"
	privateSpace   = ", #gpu.address_space<private>"
)

// privateArray is the type of a private array: on the host a row per work-item.
func (w *writer) privateArray(elem string) string {
	if w.host {
		return fmt.Sprintf("memref<%dx%dx%s>", w.p.items(), privateCells, elem)
	}
	return Type{elem: elem}.memref(privateCells, privateSpace)
}

// plain writes a plain statement, or zeros in its place.
func (w *writer) plain(s *Statement) {
	if s.removed {
		for _, r := range s.results {
			if w.used[r] {
				w.line("%s = arith.constant %s", r.name, r.typ.zero())
			}
		}
		return
	}
	text := s.text
	if strings.Contains(text, "{pv") {
		at := ""
		if w.host {
			at = "%lin, "
		}
		text = strings.ReplaceAll(text, "{pvi}", at)
		text = privateMark.ReplaceAllStringFunc(text, func(m string) string { return w.privateArray(privateMark.FindStringSubmatch(m)[1]) })
	}
	for {
		at := blockMark.FindStringSubmatchIndex(text)
		if at == nil {
			w.line("%s", text)
			return
		}
		w.WriteString(text[:at[0]])
		n := int(text[at[2]] - '0')
		for _, inner := range s.blocks[n].stmts {
			w.plain(inner)
		}
		w.yield(s, n)
		text = text[at[1]+1:]
	}
}

func (w *writer) yield(s *Statement, n int) {
	values := s.blocks[n].yields
	if s.yield[n] == "scf.condition" {
		w.line("%s = arith.andi %s, %s : i1", s.local("both"), s.local("more"), values[0].name)
		w.line("scf.condition(%s) %s, %s : %s, i32", s.local("both"), values[1].name, s.after[n], values[1].typ)
		return
	}
	if s.after[n] != "" {
		w.line("%s %s, %s : %s, i32", s.yield[n], names(values), s.after[n], types(values))
		return
	}
	w.line("%s %s : %s", s.yield[n], names(values), types(values))
}

// arguments are the buffers as parameters.
func arguments() string {
	var list []string
	for _, b := range Buffers {
		list = append(list, b.name+": "+b.typ())
	}
	return strings.Join(list, ", ")
}

func (w *writer) helpers(attributes string) {
	for _, h := range w.p.helpers {
		var params []string
		for _, v := range h.body.params {
			params = append(params, v.name+": "+v.typ.String())
		}
		w.line("func.func private @%s(%s) -> %s%s {", h.name, strings.Join(params, ", "), types(h.body.yields), attributes)
		for _, s := range h.body.stmts {
			w.plain(s)
		}
		w.line("return %s : %s\n}", names(h.body.yields), types(h.body.yields))
	}
}

// constants are what statements may use without having made it.
func (w *writer) constants() {
	w.line("%%zero = arith.constant 0 : index")
	w.line("%%one = arith.constant 1 : index")
	w.line("%%zero64 = arith.constant 0 : i64")
}

// position computes lin and gid, and on the host the coordinates from lin and group.
func (w *writer) position() {
	p := w.p
	w.line("%%nx = arith.constant %d : index\n%%ny = arith.constant %d : index", p.block[0], p.block[1])
	w.line("%%gx = arith.constant %d : index\n%%gy = arith.constant %d : index", p.grid[0], p.grid[1])
	w.line("%%items = arith.constant %d : index", p.items())
	if w.host {
		w.line("%%tx = arith.remui %%lin, %%nx : index\n%%tq = arith.divui %%lin, %%nx : index")
		w.line("%%ty = arith.remui %%tq, %%ny : index\n%%tz = arith.divui %%tq, %%ny : index")
		w.line("%%bx = arith.remui %%group, %%gx : index\n%%bq = arith.divui %%group, %%gx : index")
		w.line("%%by = arith.remui %%bq, %%gy : index\n%%bz = arith.divui %%bq, %%gy : index")
	} else {
		for _, axis := range []string{"x", "y", "z"} {
			w.line("%%t%s = gpu.thread_id %s\n%%b%s = gpu.block_id %s", axis, axis, axis, axis)
		}
		w.line("%%l0 = arith.muli %%tz, %%ny : index\n%%l1 = arith.addi %%l0, %%ty : index")
		w.line("%%l2 = arith.muli %%l1, %%nx : index\n%%lin = arith.addi %%l2, %%tx : index")
		w.line("%%g0 = arith.muli %%bz, %%gy : index\n%%g1 = arith.addi %%g0, %%by : index")
		w.line("%%g2 = arith.muli %%g1, %%gx : index\n%%group = arith.addi %%g2, %%bx : index")
	}
	w.line("%%gbase = arith.muli %%group, %%items : index\n%%gid = arith.addi %%gbase, %%lin : index")
}
