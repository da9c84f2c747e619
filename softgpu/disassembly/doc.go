// Package disassembly compares the software GPU's decoding of a code object's words with that of LLVM's disassembler:
// text, sizes, and which words are not instructions. Tests call it for every code object that they build.
//
// Concurrency: every function may be called from any number of goroutines.
package disassembly
