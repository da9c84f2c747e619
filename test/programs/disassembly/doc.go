// Package disassembly compares every instruction of the repository's code objects and of
// the kernels in test/mlir with llvm-objdump's text.
package disassembly
