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

// Containing returns the path by which the loaded object at addr was loaded; if that is a symbolic link, the path of
// the link. It returns an empty path if no object is at addr.
func Containing(addr uintptr) string {
	path := C.path_of(C.uintptr_t(addr))
	if path == nil {
		return ""
	}
	defer C.free(unsafe.Pointer(path))
	return C.GoString(path)
}
