package random

import "fmt"

// Operations that are undefined for some operands, whose results are used for the others only.
// They are computed for all: a select evaluates both sides, and compilers may hoist out of an if.

// unwanted adds such an operation, and a select or an if between its result and another value.
func (g *generator) unwanted() *Value {
	switch n := g.IntN(6); {
	case n == 0:
		return g.shiftInRange()
	case n == 1:
		return g.divisionInRange()
	case n == 2:
		return g.conversionInRange()
	case n == 3 || g.pure:
		return g.elementInRange()
	case n == 4 && len(g.p.private) > 0:
		return g.privateInRange()
	}
	return g.loadInRange()
}

func (g *generator) integerType() Type { return Type{elem: pick(g, "i8", "i16", "i32", "i64")} }

func (g *generator) shiftInRange() *Value {
	t := g.integerType()
	t.n = pick(g, 0, 0, 2, 4)
	return g.emit(t, t.fill(`#bits = arith.constant {c:{bits}}
#fine = arith.cmpi ult, $2, #bits : $t
#x = `+pick(g, "arith.shli", "arith.shrsi", "arith.shrui")+` $1, $2 : $t
$r = arith.select #fine, #x, $3 : {i1}, $t`), g.use(t), g.use(t), g.use(t))
}

// divisionInRange divides by any number. The xor has guarded's reason.
func (g *generator) divisionInRange() *Value {
	t := g.integerType()
	return g.emit(t, t.fill(`#one = arith.constant {c:1}
#pattern = arith.constant {c:90}
#next = arith.addi $2, #one : $t
#fine = arith.cmpi ugt, #next, #one : $t
$r = scf.if #fine -> ($t) {
#x = arith.xori $1, #pattern : $t
#q = `+pick(g, "arith.divsi", "arith.divui", "arith.remsi", "arith.remui")+` #x, $2 : $t
scf.yield #q : $t
} else {
scf.yield $3 : $t
}`), g.use(t), g.use(t), g.use(t))
}

// conversionInRange converts any float and takes the result of those that fit, NaNs not among them.
func (g *generator) conversionInRange() *Value {
	t, from := g.integerType(), Type{elem: pick(g, "f32", "f64")}
	t.n = pick(g, 0, 0, 2, 4)
	from.n = t.n
	limit := map[int]string{8: "127.0", 16: "32767.0", 32: "2147483520.0", 64: "9223371487098961920.0"}[t.bits()]
	return g.emit(t, `#limit = arith.constant `+from.constant(limit)+`
#size = math.absf $1 : $s
#fine = arith.cmpf ole, #size, #limit : $s
#x = arith.fptosi $1 : $s to $t
$r = arith.select #fine, #x, $2 : `+t.of("i1").String()+`, $t`, g.use(from), g.use(t))
}

// elementInRange takes or replaces an element of a vector, if there is one of that number.
func (g *generator) elementInRange() *Value {
	v := Type{pick(g, "i8", "i16", "i32", "i64", "f16", "f32", "f64"), pick(g, 2, 4)}
	e := v.scalar()
	fine := fmt.Sprintf("#count = arith.constant %d : index\n#fine = arith.cmpi ult, $3, #count : index\n", v.n)
	if g.IntN(2) == 0 {
		return g.emit(e, fine+"#x = vector.extract $1[$3] : $t from $s\n$r = arith.select #fine, #x, $2 : $t", g.use(v), g.use(e), g.use(index))
	}
	return g.emit(v, fine+"#x = vector.insert $2, $1 [$3] : "+e.String()+" into $t\n$r = arith.select #fine, #x, $1 : $t", g.use(v), g.use(e), g.use(index))
}

func (g *generator) privateInRange() *Value {
	i := g.IntN(len(g.p.private))
	t := Type{elem: g.p.private[i]}
	return g.loadIf(t, privateCells, fmt.Sprintf("memref.load %%private%d[{pvi}$1] : {pvt:%s}", i, t.elem))
}

func (g *generator) loadInRange() *Value {
	t := Type{elem: pick(g, stored...)}
	b := buffer("%in_" + t.elem)
	return g.loadIf(t, inputs, "memref.load "+b.name+"[$1] : "+b.typ())
}

// loadIf adds a load at any index, where that is less than count.
func (g *generator) loadIf(t Type, count int, load string) *Value {
	return g.emit(t, fmt.Sprintf(`#count = arith.constant %d : index
#fine = arith.cmpi ult, $1, #count : index
$r = scf.if #fine -> ($t) {
#x = %s
scf.yield #x : $t
} else {
scf.yield $2 : $t
}`, count, load), g.use(index), g.use(t))
}
