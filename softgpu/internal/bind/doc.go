// Package gcn is the GFX9 instruction set of AMD GPUs: for every instruction
// one row that holds its number, mnemonic, operands and meaning.
//
// From the rows come the decoder, the printer (LLVM's assembly syntax) and the
// execution. Execution works on a [Wave], the architectural state of 64 lanes;
// who schedules waves, and what lies behind memory addresses, is not this
// package's business: see package emu.
//
// A row's [Meaning] binds an instruction to its operands once; the [Step] that
// results runs for every wave. One meaning serves all forms of its row: binding
// takes care of constants, modifiers, SDWA, DPP and EXEC, and what is computed is
// a kernel over all 64 lanes or a function of one. Steps do not allocate. An
// instruction without meaning is refused by [Executable]. What a wave does wrong
// while it runs ends in its [Fault].
//
// Meanings compute under the usual MODE; [Bind] adds to them, where a program
// asks for it, what rounding and IEEE mode change (modals). Results have the same
// bits on every processor, in assembly and without.
//
// # From a row to a result
//
// [Decode] looks a word up in the tables that table.go makes of the rows (rows_*.go)
// and reads its operands where the row's [Form] has them (decode*.go); print*.go
// writes it down. [Bind] hands it to the row's meaning, which is made by a binder:
// of a kernel over whole waves (vector_wave.go; vector_plain.go where there are no
// modifiers), of a function of one lane (vector_lane.go), of scalars (scalar.go),
// for memory (memory_*.go), for matrices (matrix.go). Binders resolve operands
// (source.go, operand.go) and return the step. What is computed stands in package alu,
// what memory does in package memory; alu_*.go, compare*.go and scalar_*.go bind what
// no general binder does. [Watched] steps tell first what they will touch (watch*.go).
//
// # Files
//
//	rows_ENCODING   the rows, a file per encoding: number, mnemonic, form, meaning
//	table, form, forms_*  tables of the rows; operands and widths that rows share
//	chip, inst, meaning  chips; a decoded instruction; Bind
//	mode*           what rounding and IEEE mode change, for which rows
//	decode*         words to instructions
//	print*          instructions to LLVM's syntax
//	operand, source, dpp, sdwa, index  what an operand reads and writes: modifiers, lanes, M0
//	vector*, scalar, flow  binders of vector and scalar instructions; branches and waits
//	alu_*, compare*, scalar_*  instructions with a binder of their own
//	matrix*, mfma   matrix instructions: binder, sums, shapes
//	memory*         binders of loads, stores and atomics, a file per address space
//	image*          image instructions: formats, sampling
//	watch*, counted what a step is about to touch, registers and counters: for the checker
//	wave            the state that steps change
//	reference_*_test  the second implementation, one lane, that all rows are compared with
//	golden, llvmmc, words, fuzz _test  decoder and printer against LLVM
//
// Nothing here is shared between goroutines but the rows, which are constant
// after initialization. A Wave belongs to one goroutine at a time.
package bind
