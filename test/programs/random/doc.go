// Package random makes random MLIR programs, lowers each of them twice and wants
// the same memory from both: as kernels for an AMD GPU, which the software GPU
// executes, and as plain loops over the same work-items, compiled for the host.
//
// A [Program] is a tree of statements. Straight code is one text for both; what
// work-items do together is not: barriers, workgroup memory, shuffles and grids
// exist on the device only, and the host's side runs all work-items up to each
// such point before it goes on, reading other work-items' values from arrays.
//
// Invariants: a program has one meaning. Shifts are in range, divisors are neither
// zero nor minus one, floats that become integers are in range, the numbers that
// are NaN all have the same bits wherever bits are seen, atomics of one cell are of
// one kind that commutes, and a work-item writes only cells that are its own.
// What is undefined may be computed where its result is not used (unwanted.go).
// Functions that libm computes write to memory that is compared with a tolerance,
// and nothing else depends on them.
//
// A failing program is cut down to a few statements and written out with its seed;
// testdata holds those found so far, and they always run.
//
// Concurrency: a Program is built, shrunk and run by one goroutine.
package random
