// Package hip drives AMD GPUs through libamdhip64.so. It opens the library at run time, so it needs no ROCm to build or
// load.
//
// symbols.h lists the HIP functions that the package calls. The generated table.c calls most of them for
// internal/gpuapi's Driver; calls.c and graph.c call the others. This package has what only HIP has: its errors, kinds
// of memory, code objects.
//
// Handles are HIP's own. The current device is HIP's current device of the thread. A Driver does not change once it is
// open. With HIP before 6.3, launches of graphs take a lock that all launches share: see exclusive.h.
package hip
