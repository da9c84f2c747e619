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
// bits on every processor, in assembly and without; nan.go says which NaN is one.
//
// # From a row to a result
//
// [Decode] looks a word up in the tables that table.go makes of the rows (rows_*.go)
// and reads its operands where the row's [Form] has them (decode*.go); print*.go
// writes it down. [Bind] hands it to the row's meaning, which is made by a binder:
// of a kernel over whole waves (vector_wave.go; vector_plain.go where there are no
// modifiers), of a function of one lane (vector_lane.go), of scalars (scalar.go),
// for memory (memory_*.go), for matrices (matrix.go). Binders resolve operands
// (source.go, operand.go) and return the step. What is computed stands in alu_*.go,
// compare*.go and scalar_*.go; kernels that are in assembly as well are chosen in
// kernel_*.go. [Watched] steps tell first what they will touch (watch*.go).
//
// Nothing here is shared between goroutines but the rows, which are constant
// after initialization. A Wave belongs to one goroutine at a time.
package gcn
