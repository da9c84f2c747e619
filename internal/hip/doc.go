// Package hip drives AMD GPUs through libamdhip64.so, which is opened at run
// time: no ROCm is needed to build or to load this package.
//
// symbols.h lists the HIP functions that are called. The generated table.c calls most of them
// for internal/gpuapi's Driver; calls.c and graph.c call the others. Here is what only HIP
// has: its errors, kinds of memory, code objects.
//
// Handles are HIP's own. The current device is HIP's, which keeps it per thread.
// A Driver is immutable once it is open. With HIP before 6.3 launches by graph hold a
// lock that all launches share: see exclusive.h.
package hip
