// Package mgpu is the runtime behind MLIR's GPU ABI: what each mgpu* function
// means, over one driver.
//
// A [Runtime] opens its driver at the first call. Streams and events come from
// a pool, modules and functions from a cache; with the cache off every call
// goes straight to the driver, as MLIR's own wrappers do. Results are the same
// either way, but for streams given as events: without the pool's side table they
// fail, as they do with those wrappers.
//
// Methods are called on the thread of the C program and make their driver calls
// on it: the vendors keep the current device per thread. They may be called from
// any number of threads. A lock is held across a driver call only where graphs
// are recorded. A method that fails prints one
// line in the stock wrapper's form, `'<call>' failed with '<name>'`, and returns zero.
//
// A new mgpu call is one method here, with its row made by [call] above it.
package mgpu
