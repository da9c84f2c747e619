// Package cuda drives NVIDIA GPUs through libcuda.so.1. It opens the library at run time, so it needs no CUDA toolkit
// to build or load.
//
// symbols.h lists the functions of libcuda that the package calls. The generated table.c calls most of them for
// internal/gpuapi's Driver; calls.c and graph.c call the others. This package has what only CUDA has: contexts, PTX,
// clusters, tensor maps, limits of shared memory. Handles are libcuda's own.
//
// Calls are made in the primary context of the calling thread's current device, which C stores per thread. A context is
// bound to a thread only if another context, or none, is current. A context that the program has bound itself is
// current again when a method returns (context.c). Calls that allocate: those that internal/gpuapi names, compiling
// PTX, and the first launch of a function with dynamic shared memory.
//
// The only lock, Driver.raising, is a leaf and is not held across launches.
package cuda
