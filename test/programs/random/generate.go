package random

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// generator writes one program.
type generator struct {
	*rand.Rand
	p     *Program
	pool  []*Value // what can be used here
	block *Block   // where statements go
	depth int      // blocks around
	// helper functions have no memory: only what they are given and compute.
	pure bool

	slot     int            // next place for results
	areaOf   map[string]int // next area of each output
	sharedOf map[string]int // next cells of each shared buffer
	ownOf    map[string]int
}

func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

var shapes = [][3]int{{64, 1, 1}, {128, 1, 1}, {32, 1, 1}, {16, 4, 1}, {8, 4, 2}, {96, 1, 1}, {50, 1, 1}, {7, 9, 1}, {256, 1, 1}, {1, 64, 1}, {4, 4, 8}, {192, 1, 1}, {1, 1, 1}}

// New makes the program of a seed for waves of a number of lanes, whose shuffles stay within groups of reach lanes.
func New(seed uint64, lanes, reach int) *Program {
	r := rand.New(rand.NewPCG(seed, 0x6d6c6972))
	p := &Program{name: "k" + strconv.FormatUint(seed, 10), seed: seed, lanes: lanes, reach: reach, body: &Block{}}
	g := &generator{Rand: r, p: p, areaOf: map[string]int{}, sharedOf: map[string]int{}, ownOf: map[string]int{}}
	p.block, p.grid = pick(g, shapes...), [3]int{1, 1, 1}
	for p.items()*p.groups()*2 <= mostItems && g.IntN(2) == 0 {
		p.grid[g.IntN(3)] *= 2
	}
	for range g.IntN(3) {
		p.private = append(p.private, pick(g, "i8", "i16", "i32", "i64", "f32", "f64", "f16"))
	}
	for range g.IntN(3) {
		g.helper()
	}
	g.block = p.body
	for _, name := range []string{"lin", "gid", "tx", "ty", "tz", "bx", "by", "bz"} {
		g.pool = append(g.pool, &Value{typ: index, name: "%" + name, ambient: true})
	}
	for i := range p.private {
		g.fillPrivate(i)
	}
	for _, e := range stored {
		g.load(Type{elem: e})
	}
	for range 15 + g.IntN(30) {
		g.top()
	}
	for i := range 10 {
		if len(g.pool) > i {
			g.show(g.pool[len(g.pool)-1-i])
		}
	}
	return p
}

// plainTypes are the types that statements compute.
var plainElems = []string{"i1", "i8", "i16", "i32", "i32", "i64", "i64", "index", "f16", "bf16", "f32", "f32", "f64"}

func (g *generator) anyType() Type {
	t := Type{elem: pick(g, plainElems...)}
	if g.IntN(6) == 0 && t.elem != "index" && t.elem != "i1" && t.elem != "bf16" {
		t.n = pick(g, 2, 3, 4, 4)
	}
	return t
}

// add appends a statement; later statements can use its results.
func (g *generator) add(s *Statement, results ...*Value) {
	s.results = results
	g.block.stmts = append(g.block.stmts, s)
	g.pool = append(g.pool, results...)
}

// emit adds a plain statement of one result. In text, $1 to $9 are args, $r is the
// result, $t its type, $s a type of args[0], and #x a name of the statement's own.
func (g *generator) emit(t Type, text string, args ...*Value) *Value {
	v := g.p.value(t)
	s := g.p.statement(plain)
	s.args = args
	s.text = g.expand(s, text, v, args)
	g.add(s, v)
	return v
}

// effect adds a plain statement without a result.
func (g *generator) effect(text string, args ...*Value) {
	s := g.p.statement(plain)
	s.args = args
	s.text = g.expand(s, text, nil, args)
	g.add(s)
}

func (g *generator) expand(s *Statement, text string, result *Value, args []*Value) string {
	pairs := []string{"#", fmt.Sprintf("%%s%d_", s.id)}
	if result != nil {
		pairs = append(pairs, "$r", result.name, "$t", result.typ.String())
	}
	if len(args) > 0 {
		pairs = append(pairs, "$s", args[0].typ.String())
	}
	for i, a := range args {
		pairs = append(pairs, "$"+itoa(i+1), a.name)
	}
	// These texts have no attributes, such as #gpu.
	return strings.NewReplacer(pairs...).Replace(text)
}

// use is some value of type t; if there is none, one is made of what there is.
func (g *generator) use(t Type) *Value {
	var found []*Value
	for _, v := range g.pool {
		if v.typ == t {
			found = append(found, v)
		}
	}
	if len(found) > 0 && g.IntN(12) > 0 {
		// Recent values more often than old ones.
		return found[max(g.IntN(len(found)), g.IntN(len(found)))]
	}
	if t.n > 0 {
		if !g.pure && t.elem != "i1" && g.IntN(2) == 0 {
			return g.load(t)
		}
		return g.emit(t, "$r = vector.broadcast $1 : $s to $t", g.use(t.scalar()))
	}
	if g.IntN(3) == 0 || g.depth > 6 {
		return g.constant(t)
	}
	g.depth += 4
	defer func() { g.depth -= 4 }()
	return g.convertTo(t)
}

func (g *generator) constant(t Type) *Value {
	text := ""
	switch {
	case t.elem == "i1":
		text = pick(g, "true", "false")
	case t.float():
		text = pick(g, "0.0", "-0.0", "1.0", "-1.0", "0.5", "2.0", "-3.5", "100.0", "0.001", "1.0e+4")
	case t.elem == "index":
		text = itoa(pick(g, 0, 1, 2, 63, 1000, 65536))
	default:
		text = strconv.FormatInt(int64(g.Uint64())>>(64-t.bits()+g.IntN(t.bits())), 10)
	}
	return g.emit(t, "$r = arith.constant "+strings.ReplaceAll(t.constant(text), "$", ""))
}

// top adds a statement at a place that all work-items reach together.
func (g *generator) top() {
	switch n := g.IntN(100); {
	case n < 6:
		g.exchange()
	case n < 12:
		g.shuffle()
	case n < 14:
		g.tally()
	case n < 16 && g.depth == 0:
		g.uniformLoop()
	case n < 18 && g.depth == 0:
		g.uniformBranch()
	default:
		g.any()
	}
}

// any adds a statement that may stand anywhere.
func (g *generator) any() {
	n := g.IntN(100)
	if g.pure && n >= 86 {
		n = g.IntN(86)
	}
	switch {
	case n < 65 || g.depth > 1 && n < 75:
		g.operation(g.anyType())
	case n < 70 || g.depth > 1 && n < 80:
		g.unwanted()
	case n < 73:
		g.branch()
	case n < 76:
		g.loop()
	case n < 78:
		g.while()
	case n < 80:
		g.choose()
	case n < 83:
		g.convertTo(g.anyType())
	case n < 86:
		g.vectorOperation()
	case n < 89:
		g.load(g.storedType())
	case n < 90:
		g.maskedAccess()
	case n < 92:
		g.store()
	case n < 94:
		g.atomic()
	case n < 96:
		g.privateAccess()
	case n < 97:
		g.nearly()
	case n < 98:
		g.call()
	default:
		if g.depth == 0 {
			g.show(g.use(g.anyType()))
		} else {
			g.operation(g.anyType())
		}
	}
}

// inside runs fill with a new block and restores the pool afterwards.
func (g *generator) inside(params []*Value, fill func()) *Block {
	outer, pool := g.block, len(g.pool)
	b := &Block{params: params}
	g.block = b
	g.pool = append(g.pool, params...)
	g.depth++
	fill()
	g.depth--
	g.block, g.pool = outer, g.pool[:pool]
	return b
}

func (g *generator) some(n int) {
	for range 1 + g.IntN(n) {
		g.any()
	}
}
