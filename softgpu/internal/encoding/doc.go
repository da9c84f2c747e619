// Package encoding is how chips spell instructions: chips and instruction sets, the fields of
// words, operands, and LLVM's assembly syntax.
//
// [Inst] is a decoded instruction, [Row] what is known of its opcode, [Form] where a row's
// operands sit. A [Table] finds rows by number; package rows makes one for each chip and
// decodes with it. [Meaning] and [Step] are what binders (package bind) make of an instruction.
//
//	chip, set        chips; what depends on the instruction set: encodings, registers' numbers
//	inst, form, table  instructions, operands, forms; rows by number
//	decode*, rdna_decode  words to instructions, a file per group of encodings
//	print*           instructions to text
package encoding
