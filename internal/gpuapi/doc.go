// Package gpuapi is the driver of GPUs through a vendor's library: one [Driver] for
// hip and cuda. What it calls is a vendor's struct vendor (vendor.h), a table of C
// functions under names that don't depend on the vendor, most of which table.h and
// calls.h make of the vendor's symbols.h; what else is a vendor's own is in an [API].
//
// Handles are the vendor's own. There is no goroutine between a method and its call,
// and nothing here allocates unless a call fails or a kernel's name is long. The vendor
// is the judge of arguments: what is no handle goes to it as it is.
//
// A [Driver] is immutable once it is open; it holds no lock.
package gpuapi
