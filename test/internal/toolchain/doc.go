// Package toolchain runs LLVM's and MLIR's tools for tests that need code objects and host programs. The pipelines are
// those of scripts/lower.
//
// If a tool is missing, a test is skipped and names the tool.
//
// Concurrency: every function may be called from any number of goroutines.
package toolchain
