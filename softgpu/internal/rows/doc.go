// Package rows is the list of instructions: for each one row with its number, mnemonic,
// operands and meaning, by encoding.
//
// From the rows come decoder, printer and execution: [Decode] reads an instruction, [Bind]
// makes a step of it, [Executable] tells whether it has one. Meanings compute under the usual
// MODE; Bind adds to them, where a program asks for it, what rounding and IEEE mode change
// (modals, in mode_rows.go).
//
//	rows_ENCODING    the rows; rdna_rows_* those of RDNA, which share meanings with GFX9's
//	forms_*, slots   operands and widths that rows share
//	table            the tables of each chip
//	mode*            what MODE changes, for which rows
//	reference_*_test the second implementation, one lane, that all rows are compared with
//	golden, llvmmc, words, fuzz _test  decoder and printer against LLVM
//
// Rows are made when a chip's first instruction is decoded, and constant from then on.
package rows
