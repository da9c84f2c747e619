// Package encoding describes how chips encode instructions: chips and instruction sets, the fields of words, operands,
// and LLVM's assembly syntax.
//
// [Inst] is a decoded instruction, [Row] the description of its opcode, [Form] the places of a row's operands. A
// [Table] finds rows by number; package rows makes one for each chip and decodes with it. Binders (package
// bind) make [Meaning] and [Step] from an instruction.
//
//	chip, set        chips; facts of an instruction set: encodings, registers' numbers
//	inst, form, table  instructions, operands, forms; rows by number
//	decode*, rdna_decode  words to instructions, a file per group of encodings
//	print*           instructions to text
package encoding
