// Package driver is the contract between the runtime and the libraries that drive devices: interfaces, handle types and
// errors, and nothing else.
//
// A driver is one implementation of [Driver]. Abilities that not every driver has (JIT compilation, clusters, waits in
// C) are further interfaces, which the runtime finds by type assertion; see [Powers]. Handles are uintptr kinds. For
// HIP and CUDA their value is the library's own handle, since programs pass handles on to other libraries.
//
// Every method may be called from any number of threads at once. The current device is that of the calling OS thread,
// as in HIP and CUDA. So no code between an exported C function and a driver may change threads.
package driver
