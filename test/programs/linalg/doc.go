// Package linalg lowers linalg programs twice with MLIR 22: to kernels that the
// software GPU runs below the library, and to loops on the host. Both leave the same
// bytes in every buffer, for programs that call libm the same numbers to one part in
// 100,000.
//
// A program is a file in programs: one function of the file's name with
// llvm.emit_c_interface, whose arguments are memrefs of static shape. All of them are
// inputs and outputs. A first line "// near" asks for the tolerance. Nothing lists
// the files.
//
// Concurrency: none.
package linalg
