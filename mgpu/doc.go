// Package mgpu is the runtime of MLIR's GPU ABI: what each mgpu* function means, on top of one driver.
//
// A [Runtime] opens its driver at the first call. Streams and events come from a pool, modules and functions from a
// cache. With the cache off, every call makes a driver call, as MLIR's own wrappers do. Results are the same either
// way, except for streams that are passed as events: without the pool's side table such calls fail, as they do with
// MLIR's wrappers.
//
// Methods are called on the thread of the C program and make their driver calls on that thread, since drivers have a
// current device per thread. They may be called from any number of threads. internal/locks has the order in which they
// take locks, and the locks that are held across driver calls. A method that fails prints one line in the form of
// MLIR's own wrapper, `'<call>' failed with '<name>'`, and returns zero. A thread may hold its failures instead
// (mgpuxHoldErrors).
//
// To add an mgpu call, add its row to include/mgpu_calls.def and one method here; see CONTRIBUTING.md.
//
// Files are grouped by the first word of their names. They use each other in one direction, which test/policy checks: a
// file uses files of its group and, mostly, of groups further down.
//
//	open, region          opens the driver; recorded regions (internal/region): what they call here
//	runtime_fastpath      what the fast path in C is given, and what it reports
//	event, stream         events and streams; which handle is what, and what waits for what
//	module, launch        modules, functions, launches; one-node graphs; kernels that call the host
//	memory                device memory: allocation, free, scopes, scratch, checkpoints, usage
//	copy, memset, host    copies, fills, registered host memory
//	tensormap             tensor maps
//	reset                 devices that the program resets by the vendor's library
//	capture               streams that the program captures
//	work, device          which streams have work in flight; the current device
//	call                  an mgpu call under way: its frame, its number, waits that C makes, error lines
//	runtime, config       the open driver and what is kept of it; what the process gives a runtime
//	trace, ledger, stats  the timeline; what was not given back; the statistics and their table
//	driver_charge         the driver as one mgpu function sees it: counted and timed
//	regions               recorded regions, as the rest of the package sees them
package mgpu
