// Package gpuapi drives GPUs through a vendor's library: one [Driver] for hip and cuda. It calls a vendor's struct
// calls (calls.h), a table of C functions whose names don't depend on the vendor. `go generate` writes this table and
// most of its functions from the vendors' symbols.h and from calls.def. An [API] has the other differences between
// vendors.
//
// Handles are the vendor's own. No goroutine is between a method and its call. Nothing allocates here unless a call
// fails or a kernel's name is long. The vendor's library checks arguments: invalid handles are passed to it unchanged.
//
// A [Driver] does not change once it is open. It holds no lock.
package gpuapi
