// Package driver is the contract between the runtime and the libraries that
// own a device: interfaces, handle types and errors, and nothing else.
//
// A driver is one implementation of [Driver]. Abilities that not every driver has
// (JIT compilation, clusters, waits done in C) are further interfaces, found by
// type assertion. Handles are uintptr kinds whose value, for a vendor's driver,
// is the vendor's own handle: programs pass it on to other libraries.
//
// Every method may be called from any number of threads at once. The current device
// is the calling OS thread's, as the vendors have it: nothing between an exported C
// function and a driver may change threads.
package driver
