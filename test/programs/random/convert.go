package random

import "fmt"

// convertTo adds a conversion to t from something else.
func (g *generator) convertTo(t Type) *Value {
	switch {
	case t.elem == "index":
		return g.emit(t, pick(g, "$r = arith.index_cast $1 : $s to $t", "$r = arith.index_castui $1 : $s to $t"), g.use(Type{elem: pick(g, "i8", "i16", "i32", "i64")}))
	case t.elem == "i1":
		return g.compare(t)
	case t.float():
		return g.toFloat(t)
	}
	return g.toInteger(t)
}

func (g *generator) toInteger(t Type) *Value {
	switch g.IntN(3) {
	case 0:
		if of := g.floatType(t.bits(), t.n); of.elem != "" && g.IntN(2) == 0 {
			return g.emit(t, bitsOf(of, "$1", "$r"), g.use(of))
		}
		return g.rounded(t)
	case 1:
		if t.n == 0 && t.bits() >= 32 {
			return g.emit(t, pick(g, "$r = arith.index_cast $1 : $s to $t", "$r = arith.index_castui $1 : $s to $t"), g.use(index))
		}
	}
	from := t.of(pick(g, "i1", "i8", "i16", "i32", "i64"))
	switch {
	case from.bits() == t.bits():
		return g.operation(t)
	case from.bits() > t.bits():
		return g.emit(t, "$r = arith.trunci $1 : $s to $t", g.use(from))
	}
	return g.emit(t, pick(g, "$r = arith.extsi $1 : $s to $t", "$r = arith.extui $1 : $s to $t"), g.use(from))
}

// floatType is the float type of a width, if there is one.
func (g *generator) floatType(bits, n int) Type {
	switch {
	case bits == 16 && n > 0:
		return Type{"f16", n}
	case bits == 16:
		return Type{elem: pick(g, "f16", "bf16")}
	case bits == 32 || bits == 64:
		return Type{"f" + itoa(bits), n}
	}
	return Type{}
}

// canonical is text that makes to equal from, but for NaN: there is one only. It
// looks at bits: LLVM may take a choice between a NaN and another for no choice.
func canonical(t Type, from, to string) string {
	bits := "#bits"
	return "#bits = arith.bitcast " + from + " : " + t.String() + " to " + t.integer().String() + "\n" +
		canonicalBits(t, bits, "#same") + "\n" +
		to + " = arith.bitcast #same : " + t.integer().String() + " to " + t.String()
}

// bitsOf is text that makes to the bits of from.
func bitsOf(t Type, from, to string) string {
	return "#bits = arith.bitcast " + from + " : " + t.String() + " to " + t.integer().String() + "\n" + canonicalBits(t, "#bits", to)
}

// canonicalBits is the same for the bits of a float of type t.
func canonicalBits(t Type, from, to string) string {
	b := t.integer()
	most, infinity, nan := t.special()
	return fmt.Sprintf(`#most = arith.constant %s
#infinity = arith.constant %s
#nan = arith.constant %s
#size = arith.andi %s, #most : %s
#odd = arith.cmpi ugt, #size, #infinity : %s
%s = arith.select #odd, #nan, %s : %s, %s`, b.constant(most), b.constant(infinity), b.constant(nan), from, b, b, to, from, b.of("i1"), b)
}

// rounded adds a conversion of a float, which is 0 where it would not fit.
func (g *generator) rounded(t Type) *Value {
	from := t.of(pick(g, "f16", "f32", "f64", "bf16"))
	if from.elem == "bf16" && t.n > 0 {
		from.elem = "f32"
	}
	limit := map[int]string{8: "64.0", 16: "16384.0", 32: "1073741824.0", 64: "4611686018427387904.0"}[t.bits()]
	if from.elem == "f16" && t.bits() > 16 {
		limit = "32768.0"
	}
	text := `#limit = arith.constant ` + from.constant(limit) + `
#zero = arith.constant ` + from.zero() + `
#size = math.absf $1 : $s
#in = arith.cmpf olt, #size, #limit : $s
`
	if g.IntN(2) == 0 {
		text += "#x = arith.select #in, $1, #zero : " + from.of("i1").String() + ", $s\n$r = arith.fptosi #x : $s to $t"
	} else {
		text += "#x = arith.select #in, #size, #zero : " + from.of("i1").String() + ", $s\n$r = arith.fptoui #x : $s to $t"
	}
	return g.emit(t, text, g.use(from))
}

func (g *generator) toFloat(t Type) *Value {
	of := t.integer()
	switch g.IntN(4) {
	case 0:
		return g.emit(t, canonicalBits(t, "$1", "#x")+"\n$r = arith.bitcast #x : $s to $t", g.use(of))
	case 1:
		from := t.of(pick(g, "f16", "bf16", "f32", "f64"))
		switch {
		case from.bits() == t.bits() || from.n > 0 && from.elem == "bf16":
		case from.elem == "f32" && t.elem == "f16":
			// LLVM 22 narrows products with v_fma_mixlo_f16, which makes 0 of -0.
			return g.emit(t, "#zero = arith.constant "+from.zero()+"\n#x = arith.addf $1, #zero : $s\n$r = arith.truncf #x : $s to $t", g.use(from))
		case from.bits() > t.bits():
			return g.emit(t, "$r = arith.truncf $1 : $s to $t", g.use(from))
		default:
			return g.emit(t, "$r = arith.extf $1 : $s to $t", g.use(from))
		}
	}
	from := t.of(pick(g, "i8", "i16", "i32", "i64", "i1"))
	if t.bits() == 16 {
		// Wider ones go through f32 on their way, on either side.
		from.elem = pick(g, "i8", "i16")
	}
	return g.emit(t, pick(g, "$r = arith.sitofp $1 : $s to $t", "$r = arith.uitofp $1 : $s to $t"), g.use(from))
}

// vectorOperation adds one that is about elements.
func (g *generator) vectorOperation() *Value {
	v := Type{pick(g, "i8", "i16", "i32", "i64", "f16", "f32", "f64"), pick(g, 2, 3, 4)}
	e := v.scalar()
	switch g.IntN(9) {
	case 7: // the same bits as elements of another width
		to := Type{elem: map[string]string{"i8": "i16", "i16": "i32", "i32": "i16", "i64": "i32", "f16": "i32", "f32": "i16", "f64": "i32"}[v.elem]}
		v.n = 4
		to.n = 4 * v.bits() / to.bits()
		if e.float() {
			return g.emit(to, "#b = arith.bitcast $1 : $s to "+v.integer().String()+"\n"+canonicalBits(v, "#b", "#c")+"\n$r = vector.bitcast #c : "+v.integer().String()+" to $t", g.use(v))
		}
		return g.emit(to, "$r = vector.bitcast $1 : $s to $t", g.use(v))
	case 8:
		v.n = 4
		to := Type{v.elem, 1 + g.IntN(3)}
		// Releases differ in how they spell this, but for the generic form.
		return g.emit(to, "$r = \"vector.extract_strided_slice\"($1) <{offsets = ["+itoa(g.IntN(5-to.n))+"], sizes = ["+itoa(to.n)+"], strides = [1]}> : ($s) -> $t", g.use(v))
	case 0:
		return g.emit(e, "$r = vector.extract $1["+itoa(g.IntN(v.n))+"] : "+e.String()+" from $s", g.use(v))
	case 1:
		return g.emit(v, "$r = vector.insert $1, $2 ["+itoa(g.IntN(v.n))+"] : "+e.String()+" into $t", g.use(e), g.use(v))
	case 2: // an element that the work-item chooses
		v.n = 4
		return g.emit(e, "#m = arith.constant 3 : index\n#i = arith.andi $2, #m : index\n$r = vector.extract $1[#i] : "+e.String()+" from $s", g.use(v), g.use(index))
	case 3:
		v.n = 4
		return g.emit(v, "#m = arith.constant 3 : index\n#i = arith.andi $3, #m : index\n$r = vector.insert $1, $2 [#i] : "+e.String()+" into $t", g.use(e), g.use(v), g.use(index))
	case 4:
		to := Type{v.elem, pick(g, 2, 3, 4)}
		mask := ""
		for i := range to.n {
			if i > 0 {
				mask += ", "
			}
			mask += itoa(g.IntN(2 * v.n))
		}
		return g.emit(to, "$r = vector.shuffle $1, $2 ["+mask+"] : $s, $s", g.use(v), g.use(v))
	case 5:
		kind := pick(g, "add", "mul", "and", "or", "xor", "minsi", "maxsi", "minui", "maxui")
		if e.float() {
			kind = pick(g, "minimumf", "maximumf")
		}
		return g.emit(e, "$r = vector.reduction <"+kind+">, $1 : $s into $t", g.use(v))
	}
	if e.float() {
		return g.emit(e, "$r = vector.reduction <"+pick(g, "add", "mul")+">, $2, $1 : "+v.String()+" into $t", g.use(e), g.use(v))
	}
	return g.emit(v, "$r = vector.from_elements "+map[int]string{2: "$1, $2", 3: "$1, $2, $1", 4: "$1, $2, $2, $1"}[v.n]+" : $t", g.use(e), g.use(e))
}
