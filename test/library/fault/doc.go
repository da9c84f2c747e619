// Package fault tests programs while driver calls fail.
//
// Programs in C (hosts/) and programs that MLIR lowered run against the built
// library, over the HIP library for tests, which makes the nth call of any function
// fail (test/fakehip). Go programs run package mgpu over [Driver], which does the same
// to any driver, the software GPU's included.
//
// The requirements are always the same: a line that names call and error, no crash, no hang, no lost handle, and pools
// and caches that serve the next program as usual.
package fault
