package dl

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct opened {
  uintptr_t handle;
  char *why; // the caller's to free
};

// One call for both: dlerror speaks of the calling thread's last failure.
static struct opened open_library(const char *path) {
  struct opened o = {(uintptr_t)dlopen(path, RTLD_NOW | RTLD_LOCAL), NULL};
  if (o.handle == 0) {
    const char *why = dlerror();
    o.why = strdup(why ? why : "dlopen says nothing");
  }
  return o;
}

static uintptr_t find_symbol(uintptr_t handle, const char *name) {
  return (uintptr_t)dlsym((void *)handle, name);
}
*/
import "C"

import (
	"errors"
	"strings"
	"unsafe"
)

// Library is an open shared library.
type Library struct {
	path   string
	handle C.uintptr_t
}

// Open opens the library that dlopen finds under path: a file if it holds a
// slash, otherwise a name looked for where the loader looks. The error tells why
// not, without repeating the path.
func Open(path string) (*Library, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, errors.New("no name of a file")
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	o := C.open_library(name)
	if o.handle == 0 {
		defer C.free(unsafe.Pointer(o.why))
		return nil, errors.New(strings.TrimPrefix(C.GoString(o.why), path+": "))
	}
	return &Library{path: path, handle: o.handle}, nil
}

// Path is the name that the library was opened by.
func (l *Library) Path() string { return l.path }

// Symbol is the address of a symbol, zero where the library has none of the name.
func (l *Library) Symbol(name string) uintptr {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return uintptr(C.find_symbol(l.handle, text))
}
