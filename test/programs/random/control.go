package random

import (
	"fmt"
	"strings"
)

// names joins the values' names.
func names(values []*Value) string {
	var list []string
	for _, v := range values {
		list = append(list, v.name)
	}
	return strings.Join(list, ", ")
}

func types(values []*Value) string {
	var list []string
	for _, v := range values {
		list = append(list, v.typ.String())
	}
	return strings.Join(list, ", ")
}

func (g *generator) values(types []Type) []*Value {
	var list []*Value
	for _, t := range types {
		list = append(list, g.p.value(t))
	}
	return list
}

func (g *generator) uses(types []Type) []*Value {
	var list []*Value
	for _, t := range types {
		list = append(list, g.use(t))
	}
	return list
}

func (g *generator) someTypes() []Type {
	list := []Type{g.anyType()}
	if g.IntN(3) == 0 {
		list = append(list, g.anyType())
	}
	return list
}

// branch adds an scf.if whose work-items part.
func (g *generator) branch() {
	s := g.p.statement(plain)
	result := g.someTypes()
	s.args = []*Value{g.use(boolean)}
	for range 2 {
		s.blocks = append(s.blocks, g.inside(nil, func() {
			g.some(4)
			g.block.yields = g.uses(result)
		}))
	}
	results := g.values(result)
	s.yield, s.after = []string{"scf.yield", "scf.yield"}, []string{"", ""}
	s.text = fmt.Sprintf("%s = scf.if %s -> (%s) {\n{block0}\n} else {\n{block1}\n}", names(results), s.args[0].name, types(results))
	g.add(s, results...)
}

// assigned writes the arguments that a loop carries.
func assigned(params, starts []*Value) string {
	var list []string
	for i := range params {
		list = append(list, params[i].name+" = "+starts[i].name)
	}
	return strings.Join(list, ", ")
}

// loop adds an scf.for whose count the work-items compute, at most 7.
func (g *generator) loop() {
	s := g.p.statement(plain)
	carried := g.someTypes()
	starts := g.uses(carried)
	s.args = append([]*Value{g.use(index)}, starts...)
	params := g.values(carried)
	counter := &Value{typ: index, name: s.local("i"), ambient: true}
	s.blocks = []*Block{g.inside(params, func() {
		g.pool = append(g.pool, counter)
		g.some(4)
		g.block.yields = g.uses(carried)
	})}
	results := g.values(carried)
	s.yield, s.after = []string{"scf.yield"}, []string{""}
	s.text = g.expand(s, fmt.Sprintf(`#seven = arith.constant 7 : index
#zero = arith.constant 0 : index
#one = arith.constant 1 : index
#n = arith.andi $1, #seven : index
%s = scf.for #i = #zero to #n step #one iter_args(%s) -> (%s) {
{block0}
}`, names(results), assigned(params, starts), types(results)), nil, s.args)
	g.add(s, results...)
}

// while adds an scf.while that ends by its condition or after some rounds.
func (g *generator) while() {
	s := g.p.statement(plain)
	carried := []Type{g.anyType()}
	starts := g.uses(carried)
	s.args = starts
	before, after, results := g.values(carried), g.values(carried), g.values(carried)
	s.blocks = []*Block{
		g.inside(before, func() {
			g.some(2)
			g.block.yields = []*Value{g.use(boolean), g.use(carried[0])}
		}),
		g.inside(after, func() {
			g.some(3)
			g.block.yields = g.uses(carried)
		}),
	}
	t := carried[0].String()
	// The condition is the first yield of the first block: see yieldLine.
	s.yield = []string{"scf.condition", "scf.yield"}
	s.after = []string{s.local("k"), s.local("next")}
	s.text = g.expand(s, fmt.Sprintf(`#zero = arith.constant 0 : i32
#one = arith.constant 1 : i32
#most = arith.constant %d : i32
%s, #left = scf.while (%s = %s, #k = #zero) : (%s, i32) -> (%s, i32) {
#more = arith.cmpi slt, #k, #most : i32
{block0}
} do {
^bb0(%s : %s, #now : i32):
#next = arith.addi #now, #one : i32
{block1}
}`, 1+g.IntN(9), results[0].name, before[0].name, starts[0].name, t, t, after[0].name, t), nil, s.args)
	g.add(s, results...)
}

// choose adds an scf.index_switch.
func (g *generator) choose() {
	s := g.p.statement(plain)
	result := g.someTypes()
	s.args = []*Value{g.use(index)}
	cases := 2 + g.IntN(3)
	var text strings.Builder
	for i := range cases + 1 {
		s.blocks = append(s.blocks, g.inside(nil, func() {
			g.some(2)
			g.block.yields = g.uses(result)
		}))
		s.yield, s.after = append(s.yield, "scf.yield"), append(s.after, "")
		label := "case " + itoa(i)
		if i == cases {
			label = "default"
		}
		fmt.Fprintf(&text, "%s {\n{block%d}\n}\n", label, i)
	}
	results := g.values(result)
	s.text = g.expand(s, fmt.Sprintf(`#mask = arith.constant 7 : index
#n = arith.andi $1, #mask : index
%s = scf.index_switch #n -> %s
%s`, names(results), types(results), text.String()), nil, s.args)
	g.add(s, results...)
}

// uniformLoop adds a loop that all work-items go through together, with barriers
// and shuffles in it.
func (g *generator) uniformLoop() {
	s := g.p.statement(uniform)
	s.trips = 1 + g.IntN(3)
	carried := []Type{g.anyType()}
	s.args = g.uses(carried)
	s.blocks = []*Block{g.inside(g.values(carried), func() {
		for range 2 + g.IntN(5) {
			g.top()
		}
		g.block.yields = g.uses(carried)
	})}
	g.add(s, g.values(carried)...)
}

// uniformBranch adds a branch that whole workgroups take, with barriers in it.
func (g *generator) uniformBranch() {
	s := g.p.statement(choice)
	result := []Type{g.anyType()}
	s.args = g.uses(result) // the result of groups that don't take it
	s.trips = 1 + g.IntN(2) // of so many groups one takes it
	s.blocks = []*Block{g.inside(nil, func() {
		for range 2 + g.IntN(4) {
			g.top()
		}
		g.block.yields = g.uses(result)
	})}
	g.add(s, g.values(result)...)
}

// helper adds a function. It computes from its arguments alone.
func (g *generator) helper() {
	params := g.values([]Type{g.anyType(), g.anyType(), g.anyType()})
	name := fmt.Sprintf("%s_h%d", g.p.name, len(g.p.helpers))
	recursive := g.IntN(3) == 0
	outer := g.pool
	g.pool, g.pure = nil, true
	b := g.inside(params, func() {
		g.some(8)
		g.block.yields = []*Value{g.use(g.anyType())}
		if recursive {
			g.callItself(name, params)
		}
	})
	g.pool, g.pure = outer, false
	g.p.helpers = append(g.p.helpers, helper{name, b})
}

// callItself makes the function's first parameter a word that counts down to 0,
// and its result that of a call of itself with what it computed.
func (g *generator) callItself(name string, params []*Value) {
	params[0].typ = i32
	g.block.stmts = nil
	y := params[g.IntN(3)]
	t := y.typ
	g.pool = params
	work := g.operation(t)
	next := []*Value{{typ: i32, name: ""}, params[1], params[2]}
	for i := 1; i < 3; i++ {
		if params[i].typ == t {
			next[i] = work
		}
	}
	s := g.p.statement(plain)
	s.args = []*Value{params[0], work, next[1], next[2]}
	next[0] = &Value{typ: i32, name: s.local("less")}
	result := g.p.value(t)
	s.text = g.expand(s, fmt.Sprintf(`#zero = arith.constant 0 : i32
#one = arith.constant 1 : i32
#seven = arith.constant 7 : i32
#n = arith.andi $1, #seven : i32
#more = arith.cmpi sgt, #n, #zero : i32
$r = scf.if #more -> ($t) {
#less = arith.subi #n, #one : i32
#deep = func.call @%s(%s) : (%s) -> $t
scf.yield #deep : $t
} else {
scf.yield $2 : $t
}`, name, names(next), types(next)), result, s.args)
	g.add(s, result)
	g.block.yields = []*Value{result}
}

// call adds a call of a helper, if there is one.
func (g *generator) call() {
	if len(g.p.helpers) == 0 || g.pure {
		g.operation(g.anyType())
		return
	}
	h := pick(g, g.p.helpers...)
	var args []*Value
	for _, p := range h.body.params {
		args = append(args, g.use(p.typ))
	}
	result := h.body.yields[0].typ
	g.emit(result, fmt.Sprintf("$r = func.call @%s(%s) : (%s) -> $t", h.name, names(args), types(args)), args...)
}
