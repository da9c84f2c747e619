// Package fault tests what becomes of programs when driver calls fail.
//
// Programs in C (hosts/) and programs that MLIR lowered run against the built
// library, over the HIP library for tests, which makes the nth call of any function
// fail (test/fakehip). Go programs run package mgpu over [Driver], which does the same
// to any driver, the software GPU's included.
//
// What is asked for is always the same: a line that names call and error, no
// crash, no hang, no handle lost, and pools and caches that serve the next program
// as if nothing had happened.
package fault
