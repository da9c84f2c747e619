package alu

// Kind is how an instruction reads the bits of an operand: the width, the meaning of inline constants, and the sign
// bit.
type Kind uint8

// The kinds of operands.
const (
	None Kind = iota
	U16
	I16
	F16
	U32
	i32
	F32
	Pu16 // two 16-bit integers in a register
	Pf16 // two halves in a register
	Bf16
	Pbf16 // two bfloats in a register
	U64
	I64
	F64
)

// Wide reports whether it takes two registers.
func (k Kind) Wide() bool { return k >= U64 }

// Short reports whether it has 16 bits.
func (k Kind) Short() bool { return k == U16 || k == I16 || k == F16 || k == Bf16 }

// Float reports whether it is a floating-point number.
func (k Kind) Float() bool { return k == F16 || k == F32 || k == F64 }
