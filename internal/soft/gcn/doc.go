// Package gcn is the GFX9 instruction set of AMD GPUs: for every instruction
// one row that holds its number, mnemonic, operands and meaning.
//
// From the rows come the decoder, the printer (LLVM's assembly syntax) and the
// execution. Execution works on a [Wave], the architectural state of 64 lanes;
// who schedules waves, and what lies behind memory addresses, is not this
// package's business: see package emu.
//
// Nothing here is shared between goroutines but the rows, which are constant
// after initialization. A Wave belongs to one goroutine at a time.
package gcn
