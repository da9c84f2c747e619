// Package cuda drives NVIDIA GPUs through libcuda.so.1, which is opened at run
// time: no CUDA toolkit is needed to build or to load this package.
//
// symbols.h lists the functions of libcuda that are called; internal/dl/table.h makes
// a table of them and one C function per call, which [Driver]'s methods call. Handles
// are libcuda's own.
//
// Calls are made in the primary context of the calling thread's current device,
// which C keeps per thread; a context is bound to a thread only where another one,
// or none, is current. One that the program has bound by itself is back in place
// when a method returns (context.c). There is no goroutine between a method and its
// call, and nothing here allocates unless a call fails, a module is loaded, a kernel's
// name is long, or a function is launched for the first time with dynamic shared memory.
//
// libcuda is the judge of arguments: what is no handle goes to it as it is.
//
// The one lock, Driver.raising, is a leaf, held across no launch.
package cuda
