package random

import (
	"fmt"
	"strings"
)

func (g *generator) storedType() Type {
	t := Type{elem: pick(g, stored...)}
	if g.IntN(4) == 0 && t.elem != "bf16" {
		t.n = pick(g, 2, 3, 4)
	}
	return t
}

// load adds a load of an input: the work-item's own element, or one that it chooses.
func (g *generator) load(t Type) *Value {
	b := buffer("%in_" + t.elem)
	args := []*Value{}
	text := "#at = arith.addi %gid, %zero : index\n"
	if g.IntN(3) > 0 {
		args = append(args, g.use(index))
		text = "#top = arith.constant 1020 : index\n#at = arith.minui $1, #top : index\n"
		if g.IntN(2) == 0 {
			text = "#top = arith.constant 1019 : index\n#at = arith.remui $1, #top : index\n"
		}
	} else if k := g.IntN(3); k > 0 {
		text = fmt.Sprintf("#k = arith.constant %d : index\n#at = arith.addi %%gid, #k : index\n", k*mostItems)
	}
	read := "memref.load " + b.name + "[#at] : " + b.typ()
	if t.n > 0 {
		read = "vector.load " + b.name + "[#at] : " + b.typ() + ", $t"
	}
	return g.emit(t, text+"$r = "+read, args...)
}

// maskedAccess adds loads of some elements of a vector: neighbours, or any of an
// input, or of a view of it.
func (g *generator) maskedAccess() {
	t := Type{pick(g, "i8", "i16", "i32", "i64", "f16", "f32", "f64"), 4}
	b := buffer("%in_" + t.elem)
	mask := g.use(t.of("i1"))
	switch g.IntN(3) {
	case 0:
		g.emit(t, `#most = arith.constant 1019 : index
#at = arith.remui $1, #most : index
$r = vector.maskedload `+b.name+`[#at], $2, $3 : `+b.typ()+`, vector<4xi1>, $t into $t`, g.use(index), mask, g.use(t))
	case 1:
		g.emit(t, `#most = arith.constant dense<1023> : vector<4xi32>
#each = arith.andi $1, #most : vector<4xi32>
$r = vector.gather `+b.name+`[%zero] [#each], $2, $3 : `+b.typ()+`, vector<4xi32>, vector<4xi1>, $t into $t`, g.use(Type{"i32", 4}), mask, g.use(t))
	default:
		g.emit(t.scalar(), `#first = arith.constant 511 : index
#from = arith.andi $1, #first : index
#part = arith.constant 63 : index
#at = arith.andi $2, #part : index
#view = memref.subview `+b.name+`[#from] [64] [8] : `+b.typ()+` to memref<64x`+t.elem+`, strided<[8], offset: ?>>
$r = memref.load #view[#at] : memref<64x`+t.elem+`, strided<[8], offset: ?>>`, g.use(index), g.use(index))
	}
}

// next is the first of the places of a buffer that no statement has had, and false
// if all are taken.
func next(taken map[string]int, name string, most int) (int, bool) {
	n := taken[name]
	taken[name]++
	return n, n < most
}

// store adds a store to the work-item's own part of an output.
func (g *generator) store() {
	t := g.storedType()
	b := buffer("%out_" + t.elem)
	n, ok := next(g.areaOf, b.name, areas)
	if !ok {
		g.operation(t)
		return
	}
	v := g.use(t)
	text, from := "", "$1"
	if t.float() {
		text, from = canonical(t, "$1", "#x")+"\n", "#x"
	}
	text += fmt.Sprintf("#area = arith.constant %d : index\n", n*area)
	if t.n == 0 {
		text += "#at = arith.addi %gid, #area : index\nmemref.store " + from + ", " + b.name + "[#at] : " + b.typ()
	} else {
		text += "#four = arith.constant 4 : index\n#own = arith.muli %gid, #four : index\n#at = arith.addi #own, #area : index\n" +
			"vector.store " + from + ", " + b.name + "[#at] : " + b.typ() + ", $s"
	}
	g.effect(text, v)
}

// show adds a store of a value's bits to a word of the work-item.
func (g *generator) show(v *Value) {
	if g.slot == valueSlots {
		return
	}
	if v.typ.n > 0 {
		for i := range v.typ.n {
			g.show(g.emit(v.typ.scalar(), "$r = vector.extract $1["+itoa(i)+"] : $t from $s", v))
		}
		return
	}
	text, from := "", "$1"
	t := v.typ
	if t.float() {
		text = bitsOf(t, "$1", "#b") + "\n"
		from, t = "#b", t.integer()
	}
	switch {
	case t.elem == "index":
		text += "#w = arith.index_cast " + from + " : index to i64\n"
	case t.bits() < 64:
		text += "#w = arith.extui " + from + " : " + t.String() + " to i64\n"
	default:
		text += "#w = arith.ori " + from + ", %zero64 : i64\n"
	}
	b := buffer("%out")
	text += fmt.Sprintf("#k = arith.constant %d : index\n#at = arith.addi %%gid, #k : index\nmemref.store #w, %s[#at] : %s", g.slot*mostItems, b.name, b.typ())
	g.slot++
	g.effect(text, v)
}

// commuting are the atomics whose order does not matter.
var commuting = []string{"addi", "andi", "ori", "xori", "maxs", "maxu", "mins", "minu"}

const cellsOfOne = 16 // cells that one atomic statement shares among work-items

// atomic adds an atomic: on shared cells, or on the work-item's own, whose old
// value is then used.
func (g *generator) atomic() {
	if g.IntN(2) == 0 {
		g.ownAtomic(Type{elem: pick(g, "i8", "i16", "i32", "i64", "f16", "f32", "f64")})
		return
	}
	t := Type{elem: pick(g, "i32", "i64", "f32", "f64")}
	b := buffer("%shared_" + t.elem)
	n, ok := next(g.sharedOf, b.name, cells/cellsOfOne)
	if !ok {
		g.ownAtomic(t)
		return
	}
	text := fmt.Sprintf(`#mask = arith.constant %d : index
#base = arith.constant %d : index
#i = arith.andi $1, #mask : index
#at = arith.addi #i, #base : index
`, cellsOfOne-1, n*cellsOfOne)
	cell := b.name + "[#at] : " + b.typ()
	if t.float() {
		// Sums of small integers are exact in any order.
		small := "#k = arith.constant 255 : i32\n#n = arith.andi $2, #k : i32\n#x = arith.sitofp #n : i32 to " + t.elem + "\n"
		kind := pick(g, "addf", "maximumf", "minimumf")
		g.effect(text+small+"#old = memref.atomic_rmw "+kind+" #x, "+b.name+"[#at] : ("+t.elem+", "+b.typ()+") -> "+t.elem, g.use(index), g.use(i32))
		return
	}
	if g.IntN(4) == 0 {
		// (x + y) * 3 mod 2^n would not commute; x * (2y + 1) does.
		g.effect(text+`#one = arith.constant `+t.constant("1")+`
#two = arith.addi $2, $2 : `+t.elem+`
#odd = arith.ori #two, #one : `+t.elem+`
#old = memref.generic_atomic_rmw `+cell+` {
^bb0(#now : `+t.elem+`):
#start = arith.addi #now, #one : `+t.elem+`
#times = arith.muli #start, #odd : `+t.elem+`
#new = arith.subi #times, #one : `+t.elem+`
memref.atomic_yield #new : `+t.elem+`
}`, g.use(index), g.use(t))
		return
	}
	g.effect(text+"#old = memref.atomic_rmw "+pick(g, commuting...)+" $2, "+b.name+"[#at] : ("+t.elem+", "+b.typ()+") -> "+t.elem, g.use(index), g.use(t))
}

func (g *generator) ownAtomic(t Type) {
	b := buffer("%own_" + t.elem)
	n := g.IntN(areas)
	text := fmt.Sprintf("#base = arith.constant %d : index\n#at = arith.addi %%gid, #base : index\n", n*mostItems)
	from := "$1"
	kind := pick(g, append(commuting, "assign")...)
	if t.float() {
		kind = pick(g, "addf", "assign", "maximumf", "minimumf")
		text += canonical(t, "$1", "#x") + "\n"
		from = "#x"
	}
	// LLVM 22 can't select narrow atomics that, as it sees, change nothing.
	switch {
	case t.elem == "f16":
		text += "#none = arith.constant 0.0 : f16\n#some = arith.constant 1.0 : f16\n#idle = arith.cmpf oeq, #x, #none : f16\n#y = arith.select #idle, #some, #x : f16\n"
		from, kind = "#y", pick(g, "addf", "assign")
	case t.bits() < 32:
		text += "#one = arith.constant " + t.constant("1") + "\n#x = arith.ori $1, #one : $s\n"
		from, kind = "#x", pick(g, "addi", "xori", "ori", "maxu", "assign")
	}
	call := "memref.atomic_rmw " + kind + " " + from + ", " + b.name + "[#at] : (" + t.elem + ", " + b.typ() + ") -> " + t.elem
	if t.float() {
		g.emit(t, text+"#then_old = "+call+"\n"+strings.ReplaceAll(canonical(t, "#old", "$r"), "#", "#then_"), g.use(t))
		return
	}
	g.emit(t, text+"$r = "+call, g.use(t))
}

// private accesses: an array of the work-item's own, at an index that it computes.

func (g *generator) fillPrivate(i int) {
	t := Type{elem: g.p.private[i]}
	text := "#x = arith.constant " + t.zero() + "\n"
	for k := range privateCells {
		text += fmt.Sprintf("#i%d = arith.constant %d : index\nmemref.store #x, %%private%d[{pvi}#i%d] : {pvt:%s}\n", k, k, i, k, t.elem)
	}
	g.effect(text[:len(text)-1])
}

func (g *generator) privateAccess() {
	if len(g.p.private) == 0 || g.pure {
		g.operation(g.anyType())
		return
	}
	i := g.IntN(len(g.p.private))
	t := Type{elem: g.p.private[i]}
	text := fmt.Sprintf("#mask = arith.constant %d : index\n#at = arith.andi $1, #mask : index\n", privateCells-1)
	if g.IntN(2) == 0 {
		g.effect(text+fmt.Sprintf("memref.store $2, %%private%d[{pvi}#at] : {pvt:%s}", i, t.elem), g.use(index), g.use(t))
		return
	}
	g.emit(t, text+fmt.Sprintf("$r = memref.load %%private%d[{pvi}#at] : {pvt:%s}", i, t.elem), g.use(index))
}

// approximate are the functions that libm and the device's library compute, each to
// its own last bits, with what they are given: halves of a small whole number x, or
// between 0 and 1.
var approximate = []struct{ name, of string }{
	{"math.exp", "x"}, {"math.exp2", "x"}, {"math.expm1", "x"}, {"math.log", "p"}, {"math.log2", "p"}, {"math.log10", "p"}, {"math.log1p", "p"},
	{"math.sin", "x"}, {"math.cos", "x"}, {"math.tan", "u"}, {"math.atan", "x"}, {"math.tanh", "x"}, {"math.sinh", "x"}, {"math.cosh", "x"},
	{"math.asin", "u"}, {"math.acos", "u"}, {"math.asinh", "x"}, {"math.acosh", "p"}, {"math.atanh", "u"}, {"math.erf", "x"}, {"math.cbrt", "x"},
	{"math.rsqrt", "p"}, {"math.atan2", "x2"}, {"math.powf", "p2"},
}

// nearly adds a call of such a function, whose result is only stored.
func (g *generator) nearly() {
	t := Type{elem: pick(g, "f32", "f64")}
	b := buffer("%near_" + t.elem)
	n, ok := next(g.areaOf, b.name, areas*area/mostItems)
	if !ok {
		g.operation(t)
		return
	}
	f := pick(g, approximate...)
	from := map[byte][3]string{'x': {"-8", "7", "2.0"}, 'p': {"1", "63", "4.0"}, 'u': {"-7", "7", "8.0"}}[f.of[0]]
	text := `#lo = arith.constant ` + from[0] + ` : i32
#hi = arith.constant ` + from[1] + ` : i32
#n0 = arith.maxsi $1, #lo : i32
#n1 = arith.minsi #n0, #hi : i32
#f = arith.sitofp #n1 : i32 to ` + t.elem + `
#d = arith.constant ` + t.constant(from[2]) + `
#x = arith.divf #f, #d : ` + t.elem + "\n"
	if len(f.of) == 1 {
		text += "#y = " + f.name + " #x : " + t.elem + "\n"
	} else {
		text += "#three = arith.constant " + t.constant("1.5") + "\n#y = " + f.name + " #x, #three : " + t.elem + "\n"
	}
	text += fmt.Sprintf("#k = arith.constant %d : index\n#at = arith.addi %%gid, #k : index\nmemref.store #y, %s[#at] : %s", n*mostItems, b.name, b.typ())
	g.effect(text, g.use(i32))
}
