// Package encoding describes how chips encode instructions: chips and instruction sets, the fields of words, operands,
// and LLVM's assembly syntax.
//
// [Inst] is a decoded instruction, [Row] the description of its opcode, [Form] the places of a row's operands. A
// [Table] finds rows by number; package rows makes one for each chip and decodes with it. [Meaning] and [Step] are what
// binders (package bind) make from an instruction.
//
//	chip, set        chips; what depends on the instruction set: encodings, registers' numbers
//	inst, form, table  instructions, operands, forms; rows by number
//	decode*, rdna_decode  words to instructions, a file per group of encodings
//	print*           instructions to text
package encoding
