package main

// #define _GNU_SOURCE
// #include <dlfcn.h>
// #include <stdint.h>
// #include "calls.h"
//
// /* Marks the parts that [lo, hi) touches. */
// static void mark(uintptr_t claims, uint64_t lo, uint64_t hi) {
//   for (uint64_t part = lo >> claim_bits; part <= (hi - 1) >> claim_bits; part++)
//     __atomic_store_n((uint8_t *)claims + part, 1, __ATOMIC_RELEASE);
// }
// static uintptr_t debug_list(void) { return (uintptr_t)dlsym(RTLD_DEFAULT, "_amdgpu_r_debug"); }
import "C"

import "sync/atomic"

// claimed is the table of ranges whose unmapping has to come here.
var claimed atomic.Uintptr

// claim marks a range in it.
func claim(lo, hi uint64) {
	if at := claimed.Load(); at != 0 && lo < hi && hi <= 1<<47 {
		C.mark(C.uintptr_t(at), C.uint64_t(lo), C.uint64_t(hi))
	}
}

// debugList is where AMD's runtime keeps its list of code objects, 0 if it has none.
func debugList() uint64 { return uint64(C.debug_list()) }
