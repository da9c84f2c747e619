// Package toolchain runs LLVM's and MLIR's tools for tests that need code objects
// and host programs: pipelines are those of scripts/lower.
//
// Where a tool is missing, a test is skipped and says which.
//
// Concurrency: every function may be called from any number of goroutines.
package toolchain
