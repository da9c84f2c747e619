// Package hip drives AMD GPUs through libamdhip64.so, which is opened at run
// time: no ROCm is needed to build or to load this package.
//
// symbols.h lists the HIP functions that are called; internal/dl/table.h makes a
// table of them and one C function per call, which [Driver]'s methods call. Handles
// are HIP's own. The current device is HIP's, which keeps it per thread; there is no
// goroutine between a method and its HIP call, and nothing here allocates unless a
// call fails or a kernel's name is long. A Driver is immutable once it is open; it
// holds no lock.
//
// HIP is the judge of arguments: what is no handle goes to it as it is.
package hip
