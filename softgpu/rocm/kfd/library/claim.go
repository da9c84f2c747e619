package main

// #define _GNU_SOURCE
// #include <dlfcn.h>
// #include <link.h>
// #include <string.h>
// #include <stdint.h>
// #include "calls.h"
//
// /* Marks the parts that [lo, hi) touches. */
// static void mark(uintptr_t claims, uint64_t lo, uint64_t hi) {
//   for (uint64_t part = lo >> claim_bits; part <= (hi - 1) >> claim_bits; part++)
//     __atomic_store_n((uint8_t *)claims + part, 1, __ATOMIC_RELEASE);
// }
//
// /* AMD's runtime may have been opened for one library alone. */
// static int find_list(struct dl_phdr_info *object, size_t size, void *list) {
//   (void)size;
//   if (!strstr(object->dlpi_name, "/libhsa-runtime64.so"))
//     return 0;
//   void *handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
//   if (!handle)
//     return 0;
//   *(void **)list = dlsym(handle, "_amdgpu_r_debug");
//   dlclose(handle);
//   return *(void **)list != NULL;
// }
// static uintptr_t debug_list(void) {
//   void *list = NULL;
//   dl_iterate_phdr(find_list, &list);
//   return (uintptr_t)list;
// }
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
