// Package cuda drives NVIDIA GPUs through libcuda.so.1, which is opened at run
// time: no CUDA toolkit is needed to build or to load this package.
//
// symbols.h lists the functions of libcuda that are called. The generated table.c calls most
// of them for internal/gpuapi's Driver; calls.c and graph.c call the others. Here is what only
// CUDA has: contexts, PTX, clusters, tensor maps, limits of shared memory.
// Handles are libcuda's own.
//
// Calls are made in the primary context of the calling thread's current device,
// which C keeps per thread; a context is bound to a thread only where another one,
// or none, is current. One that the program has bound by itself is back in place
// when a method returns (context.c). Beside what internal/gpuapi says of allocations,
// compiling PTX allocates, and the first launch of a function with dynamic shared memory.
//
// The one lock, Driver.raising, is a leaf, held across no launch.
package cuda
