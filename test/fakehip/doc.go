// Package fakehip builds a HIP library for tests, and tests it.
//
// The library (lib/, in C) implements the HIP functions that internal/hip calls, on
// the CPU: streams are threads, modules are shared objects (kernel.h says what a
// kernel is), and device memory lies at addresses that the host can't touch. It
// watches its caller as a validation layer does, counts calls, makes any call
// fail, and takes the time that calls take on real devices; fakehip.h says how
// to ask for all that. It is built with make, as its users build it.
//
// It is stricter than AMD's own HIP (test/rocm), which accepts memory that is registered twice
// and a free of an address inside a block: HIP's documents forbid both, so a later release may
// not. It does not copy AMD's mistakes (docs/limits.md), such as graphs with branches that
// compute wrong results or arguments that threads mix up. Those are tested with AMD's code.
//
// The package's functions are for the tests of other packages: [Library] builds the
// library and gives its path, [Images] the modules of the conformance suite.
package fakehip
