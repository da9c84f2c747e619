package random

import (
	"fmt"
	"strings"
)

// Device is the program as functions of a gpu.module: its kernel and its helpers.
func (p *Program) Device() string {
	w := &writer{p: p, used: p.used()}
	w.helpers(` attributes {passthrough = ["noinline"]}`)
	var groups, arrays []string
	for _, s := range p.all() {
		switch {
		case s.form == exchange && !s.global:
			groups = append(groups, fmt.Sprintf("%s : %s", s.local("cells"), Type{elem: s.elem}.memref(p.items(), workgroupSpace)))
		case s.form == tally:
			groups = append(groups, fmt.Sprintf("%s : %s", s.local("cells"), Type{elem: s.elem}.memref(tallyCells, workgroupSpace)))
		}
	}
	for i, e := range p.private {
		arrays = append(arrays, fmt.Sprintf("%%private%d : %s", i, w.privateArray(e)))
	}
	w.line("gpu.func @%s(%s)", p.name, arguments())
	if len(groups) > 0 {
		w.line("workgroup(%s)", strings.Join(groups, ", "))
	}
	if len(arrays) > 0 {
		w.line("private(%s)", strings.Join(arrays, ", "))
	}
	w.line("kernel attributes {gpu.known_block_size = array<i32: %d, %d, %d>} {", p.block[0], p.block[1], p.block[2])
	w.constants()
	w.position()
	w.together(p.body)
	w.line("gpu.return\n}")
	return w.String()
}

// together writes statements that all work-items execute together.
func (w *writer) together(b *Block) {
	for _, s := range b.stmts {
		if s.alone() {
			w.plain(s)
			continue
		}
		switch s.form {
		case exchange:
			w.exchange(s)
		case shuffle:
			w.shuffle(s)
		case tally:
			w.tally(s)
		case choice:
			w.takes(s)
			w.line("%s = scf.if %s -> (%s) {", s.results[0].name, s.local("takes"), s.results[0].typ)
			w.together(s.blocks[0])
			w.line("scf.yield %s : %s\n} else {", names(s.blocks[0].yields), types(s.blocks[0].yields))
			w.line("scf.yield %s : %s\n}", s.args[0].name, s.args[0].typ)
		case uniform:
			v := s.blocks[0].params[0]
			w.line("%s = arith.constant %d : index", s.local("n"), s.trips)
			w.line("%s = scf.for %s = %%zero to %s step %%one iter_args(%s) -> (%s) {", s.results[0].name, s.local("i"), s.local("n"), assigned(s.blocks[0].params, s.args), v.typ)
			w.together(s.blocks[0])
			w.line("scf.yield %s : %s\n}", names(s.blocks[0].yields), types(s.blocks[0].yields))
		}
	}
}

// takes computes whether the workgroup takes a branch.
func (w *writer) takes(s *Statement) {
	w.line("%s = arith.constant %d : index", s.local("mask"), s.trips)
	w.line("%s = arith.andi %%group, %s : index", s.local("part"), s.local("mask"))
	w.line("%s = arith.cmpi eq, %s, %%zero : index", s.local("takes"), s.local("part"))
}

// meet writes a barrier for workgroup memory and global memory.
func (w *writer) meet() { w.line("gpu.barrier") }

func (w *writer) exchange(s *Statement) {
	memory, typ := s.cells(w)
	for _, l := range s.fill {
		w.line("%s", l)
	}
	w.line("%s = arith.addi %s, %s : index", s.local("cell"), s.local("to"), s.base())
	w.line("memref.store %s, %s[%s] : %s", s.args[0].name, memory, s.local("cell"), typ)
	w.meet()
	w.reads(s, memory, typ)
	w.meet()
}

// cells are the name and type of an exchange's memory.
func (s *Statement) cells(w *writer) (name, typ string) {
	if s.global {
		b := buffer("%block_" + s.elem)
		return b.name, b.typ()
	}
	space := workgroupSpace
	if w.host {
		space = ""
	}
	return s.local("cells"), Type{elem: s.elem}.memref(w.p.items(), space)
}

// base is where the workgroup's cells begin.
func (s *Statement) base() string {
	if s.global {
		return "%gbase"
	}
	return "%zero"
}

// reads are the loads after an exchange's meeting.
func (w *writer) reads(s *Statement, memory, typ string) {
	for k, r := range s.results {
		w.line("%s", s.lane[k])
		cell := s.local("from" + itoa(k))
		w.line("%s = arith.addi %s, %s : index", cell, s.local("at"+itoa(k)), s.base())
		w.line("%s = memref.load %s[%s] : %s", r.name, memory, cell, typ)
	}
}

func (w *writer) shuffle(s *Statement) {
	r, v := s.results[0], s.args[0]
	w.line("%s", s.lane[0])
	w.line("%s = arith.constant %d : i32", s.local("w"), s.width)
	w.line("%s, %s = gpu.shuffle %s %s, %s, %s : %s", s.local("got"), s.local("ok"), s.move, v.name, s.local("by"), s.local("w"), v.typ)
	w.inside(s)
	w.line("%s = arith.select %s, %s, %s : %s", r.name, s.local("inside"), s.local("got"), v.name, v.typ)
}

// inside computes whether the lane that a shuffle names is in the work-item's group.
func (w *writer) inside(s *Statement) {
	w.line("%s = arith.index_cast %%lin : index to i32", s.local("l"))
	w.line("%s = arith.andi %s, %s : i32", s.local("in"), s.local("l"), s.local("mask"))
	switch s.move {
	case "up":
		w.line("%s = arith.cmpi sge, %s, %s : i32", s.local("inside"), s.local("in"), s.local("by"))
	case "down":
		w.line("%s = arith.addi %s, %s : i32", s.local("there"), s.local("in"), s.local("by"))
		w.line("%s = arith.cmpi sle, %s, %s : i32", s.local("inside"), s.local("there"), s.local("mask"))
	default:
		w.line("%s = arith.constant true", s.local("inside"))
	}
}

func (w *writer) tally(s *Statement) {
	typ := Type{elem: s.elem}.memref(tallyCells, workgroupSpace)
	w.line("%s = arith.constant %d : index", s.local("n"), tallyCells)
	w.line("%s = arith.constant %s", s.local("zero"), Type{elem: s.elem}.zero())
	// However few work-items there are, each cell is set.
	w.line("scf.for %s = %%lin to %s step %%items {\nmemref.store %s, %s[%s] : %s\n}", s.local("i"), s.local("n"), s.local("zero"), s.local("cells"), s.local("i"), typ)
	w.meet()
	w.tallyUpdate(s, typ)
	w.meet()
	w.tallyRead(s, typ)
	w.meet()
}

func (w *writer) tallyUpdate(s *Statement, typ string) {
	w.line("%s = arith.constant %d : index", s.local("m"), tallyCells-1)
	w.line("%s = arith.andi %s, %s : index", s.local("at"), s.args[0].name, s.local("m"))
	from := s.args[2].name
	if s.operate == "addf" {
		from = s.local("x")
		w.line("%s = arith.constant 255 : i32\n%s = arith.andi %s, %s : i32", s.local("k"), s.local("small"), s.args[2].name, s.local("k"))
		w.line("%s = arith.sitofp %s : i32 to %s", from, s.local("small"), s.elem)
	}
	w.line("%s = memref.atomic_rmw %s %s, %s[%s] : (%s, %s) -> %s", s.local("old"), s.operate, from, s.local("cells"), s.local("at"), s.elem, typ, s.elem)
}

func (w *writer) tallyRead(s *Statement, typ string) {
	w.line("%s = arith.constant %d : index", s.local("m2"), tallyCells-1)
	w.line("%s = arith.andi %s, %s : index", s.local("read"), s.args[1].name, s.local("m2"))
	w.line("%s = memref.load %s[%s] : %s", s.results[0].name, s.local("cells"), s.local("read"), typ)
}
