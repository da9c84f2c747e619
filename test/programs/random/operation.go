package random

import (
	"strings"
)

// operator is a row: an operation on values of one type.
type operator struct {
	args int
	text string // of emit; {c:N} is a constant of the result's type
}

// likeResult returns rows "name: args of the result's type".
func likeResult(args int, names ...string) []operator {
	var list []operator
	for _, n := range names {
		text := "$r = " + n + " $1"
		for i := 1; i < args; i++ {
			text += ", $" + itoa(i+1)
		}
		list = append(list, operator{args, text + " : $t"})
	}
	return list
}

func concat(lists ...[]operator) []operator {
	var all []operator
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// guarded divides $1 by $2 where that is neither 0 nor -1, else by 7. The xor is
// for LLVM 22, which divides extended numbers in 24 bits and gets some wrong.
func guarded(name string) operator {
	return operator{2, `#one = arith.constant {c:1}
#seven = arith.constant {c:7}
#pattern = arith.constant {c:90}
#x = arith.xori $1, #pattern : $t
#next = arith.addi $2, #one : $t
#fine = arith.cmpi ugt, #next, #one : $t
#d = arith.select #fine, $2, #seven : {i1}, $t
$r = ` + name + ` #x, #d : $t`}
}

func shift(name string) operator {
	return operator{2, `#mask = arith.constant {c:{last}}
#n = arith.andi $2, #mask : $t
$r = ` + name + ` $1, #n : $t`}
}

var integers = concat(
	likeResult(2, "arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori",
		"arith.addi", "arith.subi", "arith.muli", "arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui"),
	[]operator{shift("arith.shli"), shift("arith.shrsi"), shift("arith.shrui"),
		guarded("arith.divsi"), guarded("arith.divui"), guarded("arith.remsi"), guarded("arith.remui"),
		guarded("arith.ceildivsi"), guarded("arith.ceildivui"), guarded("arith.floordivsi")},
)

// Only for integers with a width, not for index.
var sized = concat(integers, likeResult(1, "math.ctpop", "math.ctlz", "math.cttz", "math.absi"))

// Rotations and bit fields, in the forms that compilers recognize.
var shapesOfBits = []operator{
	{2, `#mask = arith.constant {c:{last}}
#width = arith.constant {c:{bits}}
#n0 = arith.andi $2, #mask : $t
#n1 = arith.subi #width, #n0 : $t
#n2 = arith.andi #n1, #mask : $t
#hi = arith.shli $1, #n0 : $t
#lo = arith.shrui $1, #n2 : $t
$r = arith.ori #hi, #lo : $t`},
	{1, `#n = arith.constant {c:3}
#mask = arith.constant {c:31}
#f = arith.shrui $1, #n : $t
$r = arith.andi #f, #mask : $t`},
	{3, `#x = arith.muli $1, $2 : $t
$r = arith.addi #x, $3 : $t`},
	{3, `#x = arith.andi $1, $2 : $t
#y = arith.andi $1, $3 : $t
$r = arith.xori #x, #y : $t`},
	{3, `#a = arith.minsi $1, $2 : $t
$r = arith.maxsi #a, $3 : $t`},
	{2, `#n = arith.constant {c:2}
#a = arith.shli $1, #n : $t
$r = arith.addi #a, $2 : $t`},
}

var booleans = likeResult(2, "arith.andi", "arith.ori", "arith.xori", "arith.addi", "arith.muli")

// One of two equal numbers with different bits: 0 and -0.
const firstIfEqual = `
#same = arith.cmpf oeq, $1, $2 : $t
$r = arith.select #same, $1, #m : {i1}, $t`

var floats = concat(
	likeResult(2, "arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf"),
	likeResult(1, "arith.negf", "math.absf", "math.ceil", "math.floor", "math.trunc", "math.roundeven"),
	[]operator{
		{2, "#m = arith.maxnumf $1, $2 : $t" + firstIfEqual},
		{2, "#m = arith.minnumf $1, $2 : $t" + firstIfEqual},
		{2, `#nan = arith.cmpf uno, $2, $2 : $t
#one = arith.constant {c:1.0}
#s = arith.select #nan, #one, $2 : {i1}, $t
$r = math.copysign $1, #s : $t`},
		{3, `#x = arith.mulf $1, $2 : $t
$r = arith.addf #x, $3 : $t`},
		{2, `#x = math.absf $1 : $t
#y = arith.negf $2 : $t
$r = arith.mulf #x, #y : $t`},
		{1, `#lo = arith.constant {c:0.0}
#hi = arith.constant {c:1.0}
#a = arith.maximumf $1, #lo : $t
$r = arith.minimumf #a, #hi : $t`},
		{1, `#two = arith.constant {c:2.0}
$r = arith.mulf $1, #two : $t`},
	},
)

// Only f32 and f64: smaller numbers are computed in larger ones somewhere.
var wideFloats = concat(floats, likeResult(3, "math.fma", "math.fma"), likeResult(1, "math.sqrt"))

// Only for numbers, not for vectors.
var scalarFloats = append(likeResult(2, "arith.remf"), likeResult(1, "math.round")...)

var integerPredicates = []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}

var floatPredicates = []string{"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"}

// fill puts constants of type t in the place of {c:...}.
func (t Type) fill(text string) string {
	text = strings.NewReplacer("{last}", itoa(t.bits()-1), "{bits}", itoa(t.bits()), "{i1}", t.of("i1").String()).Replace(text)
	for {
		before, rest, found := strings.Cut(text, "{c:")
		if !found {
			return text
		}
		value, after, _ := strings.Cut(rest, "}")
		text = before + t.constant(value) + after
	}
}

// operation adds one that computes a t.
func (g *generator) operation(t Type) *Value {
	if g.IntN(12) == 0 {
		c := boolean
		if t.n > 0 && g.IntN(2) == 0 {
			c = t.of("i1")
		}
		cond := g.use(c)
		return g.emit(t, "$r = arith.select $1, $2, $3 : "+map[bool]string{true: "", false: c.String() + ", "}[c == boolean]+"$t", cond, g.use(t), g.use(t))
	}
	rows := integers
	switch {
	case t.elem == "i1" && g.IntN(4) > 0:
		return g.compare(t)
	case t.elem == "i1":
		rows = booleans
	case t.elem == "index":
	case !t.float() && g.IntN(8) == 0:
		return g.twoResults(t)
	case !t.float() && g.IntN(5) == 0:
		rows = shapesOfBits
	case !t.float():
		rows = sized
	case t.bits() < 32:
		rows = floats
	case t.n == 0 && g.IntN(8) == 0:
		rows = scalarFloats
	default:
		rows = wideFloats
	}
	o := pick(g, rows...)
	var args []*Value
	for range o.args {
		args = append(args, g.use(t))
	}
	return g.emit(t, t.fill(o.text), args...)
}

// compare adds a comparison of numbers of any type.
func (g *generator) compare(t Type) *Value {
	of := Type{pick(g, "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "index"), t.n}
	if t.n > 0 && of.elem == "index" {
		of.elem = "i32"
	}
	a, b := g.use(of), g.use(of)
	if !of.float() {
		return g.emit(t, "$r = arith.cmpi "+pick(g, integerPredicates...)+", $1, $2 : $s", a, b)
	}
	if of.elem != "bf16" && t.n == 0 && g.IntN(6) == 0 {
		return g.emit(t, "$r = math."+pick(g, "isfinite", "isnan")+" $1 : $s", a)
	}
	return g.emit(t, "$r = arith.cmpf "+pick(g, floatPredicates...)+", $1, $2 : $s", a, b)
}

// twoResults adds a multiplication or addition to two words.
func (g *generator) twoResults(t Type) *Value {
	s := g.p.statement(plain)
	s.args = []*Value{g.use(t), g.use(t)}
	results := g.values([]Type{t, t})
	name, types := pick(g, "arith.mulsi_extended", "arith.mului_extended", "arith.addui_extended"), t.String()
	// LLVM 22 makes a wrong v_dot4_i32_i8 of the two halves of a product of bytes.
	if name == "arith.addui_extended" || t.bits() == 8 {
		name = "arith.addui_extended"
		results[1].typ = t.of("i1")
		types += ", " + results[1].typ.String()
	}
	s.text = g.expand(s, names(results)+" = "+name+" $1, $2 : "+types, nil, s.args)
	g.add(s, results...)
	return results[0]
}
