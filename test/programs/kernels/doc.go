// Package kernels compiles kernels in OpenCL C and HIP with clang, runs them on the
// software GPU and compares what they leave in memory with what Go computes.
//
// The sources are in src, one file per subject. A kernel is a row of a table: its
// file, its name, and a function that makes the inputs, launches it and checks the
// results. Results are equal to the bit, but for those of the device's mathematical
// library, which have to be within a few units in the last place of Go's.
//
// Concurrency: tests run one after the other; a compiled file is shared.
package kernels
