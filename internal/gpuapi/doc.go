// Package gpuapi is the driver of GPUs through a vendor's library: one [Driver] for
// hip and cuda. It calls a vendor's struct calls (calls.h), a table of C functions under
// names that don't depend on the vendor. `go generate` writes that and most of the functions
// from the vendors' symbols.h and from calls.def. What else vendors differ in is in an [API].
//
// Handles are the vendor's own. There is no goroutine between a method and its call,
// and nothing here allocates unless a call fails or a kernel's name is long. The vendor
// is the judge of arguments: what is no handle goes to it as it is.
//
// A [Driver] is immutable once it is open; it holds no lock.
package gpuapi
