package random

import (
	"fmt"
	"strconv"
	"strings"
)

// Type is the type of a value: a number, or a vector of n of them.
type Type struct {
	elem string // "i1" to "i64", "index", "f16", "bf16", "f32", "f64"
	n    int    // elements of a vector; zero: no vector
}

var (
	boolean = Type{elem: "i1"}
	index   = Type{elem: "index"}
	i32     = Type{elem: "i32"}
)

// stored are the element types that memory holds.
var stored = []string{"i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"}

// String returns the type as MLIR spells it.
func (t Type) String() string {
	if t.n == 0 {
		return t.elem
	}
	return fmt.Sprintf("vector<%dx%s>", t.n, t.elem)
}

// of is the type of t's shape with other elements.
func (t Type) of(elem string) Type { return Type{elem, t.n} }

func (t Type) scalar() Type { return Type{elem: t.elem} }

func (t Type) float() bool { return strings.Contains(t.elem, "f") }

// bits is the width of an element.
func (t Type) bits() int {
	if t.elem == "index" {
		return 64
	}
	n, _ := strconv.Atoi(strings.TrimLeft(t.elem, "bfi"))
	return n
}

// constant is an attribute: every element is v.
func (t Type) constant(v string) string {
	if t.n > 0 {
		v = "dense<" + v + ">"
	} else if t.elem == "i1" {
		return v
	}
	return v + " : " + t.String()
}

func (t Type) zero() string {
	switch {
	case t.elem == "i1":
		return t.constant("false")
	case t.float():
		return t.constant("0.0")
	}
	return t.constant("0")
}

// special are, of a float's bits: all but the sign, infinity, and the NaN that stands
// for all of them.
func (t Type) special() (most, infinity, nan string) {
	switch t.elem {
	case "f16":
		return "0x7FFF", "0x7C00", "0x7E00"
	case "bf16":
		return "0x7FFF", "0x7F80", "0x7FC0"
	case "f32":
		return "0x7FFFFFFF", "0x7F800000", "0x7FC00000"
	}
	return "0x7FFFFFFFFFFFFFFF", "0x7FF0000000000000", "0x7FF8000000000000"
}

// integer is the type of t's bits.
func (t Type) integer() Type {
	if t.elem == "index" {
		return t.of("i64")
	}
	return t.of("i" + strconv.Itoa(t.bits()))
}
