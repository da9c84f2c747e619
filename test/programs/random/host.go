package random

import "fmt"

// Host is the program as a function that runs all work-items on the host.
//
// The work-items of a group go through plain statements one after the other, up to
// the next thing that they do together; what is needed after that is in an array.
func (p *Program) Host() string {
	w := &writer{p: p, used: p.used(), host: true}
	w.helpers("")
	w.kept = p.body.acrossPhases()
	w.line("func.func @%s(%s) {", p.name, arguments())
	w.constants()
	w.line("%%all = arith.constant %d : index\n%%groups = arith.constant %d : index", p.items(), p.groups())
	for i, e := range p.private {
		w.line("%%private%d = memref.alloca() : %s", i, w.privateArray(e))
	}
	w.arrays(p.body)
	w.line("scf.for %%group = %%zero to %%groups step %%one {")
	w.phases(p.body)
	w.line("}\nreturn\n}")
	return w.String()
}

// alone reports whether each work-item executes s by itself.
func (s *Statement) alone() bool { return s.form == plain || s.removed }

// split groups a block's statements: plain ones that follow each other, and others alone.
func (b *Block) split() [][]*Statement {
	var list [][]*Statement
	for i, s := range b.stmts {
		if i == 0 || !s.alone() || !b.stmts[i-1].alone() {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], s)
	}
	return list
}

// needs are the values that statements take from outside of them.
func needs(stmts []*Statement) (list []*Value) {
	made, seen := map[*Value]bool{}, map[*Value]bool{}
	take := func(v *Value) {
		if !v.ambient && !made[v] && !seen[v] {
			seen[v] = true
			list = append(list, v)
		}
	}
	var walk func(stmts []*Statement)
	walk = func(stmts []*Statement) {
		for _, s := range stmts {
			if !s.removed {
				for _, a := range s.args {
					take(a)
				}
				for _, b := range s.blocks {
					for _, p := range b.params {
						made[p] = true
					}
					walk(b.stmts)
					for _, y := range b.yields {
						take(y)
					}
				}
			}
			for _, r := range s.results {
				made[r] = true
			}
		}
	}
	walk(stmts)
	return list
}

// acrossPhases are the values that have to outlive a group of statements.
func (b *Block) acrossPhases() map[*Value]bool {
	kept := map[*Value]bool{}
	for _, group := range b.split() {
		s := group[0]
		if s.alone() {
			for _, v := range needs(group) {
				kept[v] = true
			}
			continue
		}
		for _, r := range s.results {
			kept[r] = true
		}
		for _, a := range s.args {
			kept[a] = true
		}
		for _, inner := range s.blocks {
			for v := range inner.acrossPhases() {
				kept[v] = true
			}
			for _, v := range append(inner.params, inner.yields...) {
				kept[v] = true
			}
		}
	}
	for v := range kept {
		if v.ambient {
			delete(kept, v)
		}
	}
	return kept
}

func (v *Value) array() string { return fmt.Sprintf("%%kept%d", v.id) }

func (w *writer) array(v *Value) string { return v.typ.memref(w.p.items(), "") }

// arrays makes the memory of a block's values and of what it does together.
func (w *writer) arrays(b *Block) {
	declare := func(values []*Value) {
		for _, v := range values {
			if w.kept[v] {
				w.line("%s = memref.alloca() : %s", v.array(), w.array(v))
			}
		}
	}
	declare(b.params)
	for _, s := range b.stmts {
		declare(s.results)
		if s.removed {
			continue
		}
		switch {
		case s.form == exchange && !s.global:
			w.line("%s = memref.alloca() : %s", s.local("cells"), Type{elem: s.elem}.memref(w.p.items(), ""))
		case s.form == tally:
			w.line("%s = memref.alloca() : %s", s.local("cells"), Type{elem: s.elem}.memref(tallyCells, ""))
		case s.form == uniform || s.form == choice:
			w.arrays(s.blocks[0])
		}
	}
}

// items writes a loop over all work-items around what body writes, with the values that it needs.
func (w *writer) items(values []*Value, body func()) {
	w.line("scf.for %%lin = %%zero to %%all step %%one {")
	w.position()
	seen := map[*Value]bool{}
	for _, v := range values {
		if !v.ambient && !seen[v] {
			seen[v] = true
			w.line("%s = memref.load %s[%%lin] : %s", v.name, v.array(), w.array(v))
		}
	}
	body()
	w.line("}")
}

func (w *writer) keep(values ...*Value) {
	for _, v := range values {
		if w.kept[v] && w.used[v] {
			w.line("memref.store %s, %s[%%lin] : %s", v.name, v.array(), w.array(v))
		}
	}
}

func (w *writer) phases(b *Block) {
	for _, group := range b.split() {
		s := group[0]
		switch {
		case s.alone():
			w.items(needs(group), func() {
				for _, s := range group {
					w.plain(s)
					w.keep(s.results...)
				}
			})
		case s.form == exchange:
			memory, typ := s.cells(w)
			w.items(s.args[:1], func() {
				for _, l := range s.fill {
					w.line("%s", l)
				}
				w.line("%s = arith.addi %s, %s : index", s.local("cell"), s.local("to"), s.base())
				w.line("memref.store %s, %s[%s] : %s", s.args[0].name, memory, s.local("cell"), typ)
			})
			w.items(s.args[1:], func() {
				w.reads(s, memory, typ)
				w.keep(s.results...)
			})
		case s.form == shuffle:
			w.items(s.args, func() { w.otherLane(s) })
		case s.form == tally:
			typ := Type{elem: s.elem}.memref(tallyCells, "")
			w.line("%s = arith.constant %d : index\n%s = arith.constant %s", s.local("n"), tallyCells, s.local("zero"), Type{elem: s.elem}.zero())
			w.line("scf.for %s = %%zero to %s step %%one {\nmemref.store %s, %s[%s] : %s\n}", s.local("i"), s.local("n"), s.local("zero"), s.local("cells"), s.local("i"), typ)
			w.items(s.args, func() { w.tallyUpdate(s, typ) })
			w.items(s.args, func() {
				w.tallyRead(s, typ)
				w.keep(s.results...)
			})
		case s.form == choice:
			w.takes(s)
			w.line("scf.if %s {", s.local("takes"))
			w.phases(s.blocks[0])
			w.move(s.blocks[0].yields[0], s.results[0])
			w.line("} else {")
			w.move(s.args[0], s.results[0])
			w.line("}")
		case s.form == uniform:
			w.rounds(s)
		}
	}
}

// otherLane reads the value of the lane that a shuffle names.
func (w *writer) otherLane(s *Statement) {
	v, r := s.args[0], s.results[0]
	w.line("%s", s.lane[0])
	w.inside(s)
	name := s.local
	switch s.move {
	case "xor":
		w.line("%s = arith.xori %s, %s : i32", name("src"), name("l"), name("by"))
	case "up":
		w.line("%s = arith.subi %s, %s : i32", name("src"), name("l"), name("by"))
	case "down":
		w.line("%s = arith.addi %s, %s : i32", name("src"), name("l"), name("by"))
	case "idx": // of all lanes of a wave: within it
		w.line("%s = arith.constant %d : i32\n%s = arith.andi %s, %s : i32", name("high"), -s.width, name("wave"), name("l"), name("high"))
		w.line("%s = arith.addi %s, %s : i32", name("src"), name("wave"), name("by"))
	}
	w.line("%s = arith.select %s, %s, %s : i32", name("lane"), name("inside"), name("src"), name("l"))
	w.line("%s = arith.index_cast %s : i32 to index", name("at"), name("lane"))
	w.line("%s = memref.load %s[%s] : %s", r.name, v.array(), name("at"), w.array(v))
	w.keep(r)
}

// rounds writes a loop that all work-items execute together.
func (w *writer) rounds(s *Statement) {
	b := s.blocks[0]
	w.move(s.args[0], b.params[0])
	w.line("%s = arith.constant %d : index", s.local("n"), s.trips)
	w.line("scf.for %s = %%zero to %s step %%one {", s.local("i"), s.local("n"))
	w.phases(b)
	w.move(b.yields[0], b.params[0])
	w.line("}")
	w.move(b.yields[0], s.results[0])
}

// move copies a value of every work-item from one array to another.
func (w *writer) move(from, to *Value) {
	if !w.used[to] {
		return
	}
	w.items([]*Value{from}, func() {
		w.line("memref.store %s, %s[%%lin] : %s", from.name, to.array(), w.array(to))
	})
}
