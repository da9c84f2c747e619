// Package rows is the list of instructions. Each has a row with its number, mnemonic, operands and meaning, by
// encoding.
//
// Decoder, printer and execution use the rows: [Decode] reads an instruction, [Bind] makes a step from it, [Executable]
// reports whether it has a meaning. Meanings compute in the usual MODE. If a program asks for it, Bind adds
// the effects of rounding and IEEE mode (modals, in mode_rows.go).
//
//	rows_ENCODING    the rows; rdna_rows_* those of RDNA, which share meanings with GFX9's
//	forms_*, slots   operands and widths that rows share
//	table            the tables of each chip
//	mode*            effects of MODE, by rows
//	reference_*_test the second implementation, for one lane, with which all rows are compared
//	golden, llvmmc, words, fuzz _test  decoder and printer compared with LLVM
//
// Rows are made when a chip's first instruction is decoded. They do not change afterwards.
package rows
