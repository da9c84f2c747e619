// Package disassembly compares what the software GPU takes the words of a code
// object for with what LLVM's disassembler says: text, sizes, and which words
// are no instruction. Tests call it for every code object that they build.
//
// Concurrency: every function may be called from any number of goroutines.
package disassembly
