package dl

/*
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char *path_of(uintptr_t addr) {
  Dl_info info;
  return dladdr((void *)addr, &info) && info.dli_fname ? strdup(info.dli_fname) : NULL;
}
*/
import "C"

import "unsafe"

// Containing is the path by which the loaded object that holds addr was loaded:
// of a link, its own name and not that of what it leads to. Empty if there is none.
func Containing(addr uintptr) string {
	path := C.path_of(C.uintptr_t(addr))
	if path == nil {
		return ""
	}
	defer C.free(unsafe.Pointer(path))
	return C.GoString(path)
}
