package dl

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct opened {
  uintptr_t handle;
  int before; // the process had the library before
  char *why;  // the caller's to free
};

// One call for both: dlerror speaks of the calling thread's last failure.
static struct opened open_library(const char *path) {
  void *before = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  struct opened o = {(uintptr_t)dlopen(path, RTLD_NOW | RTLD_LOCAL), before != NULL, NULL};
  if (before != NULL)
    dlclose(before);
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
	before bool
}

// Open opens the library that dlopen finds for path: a file if path has a slash, otherwise a name on the loader's
// search path. The error has the reason without the path.
func Open(path string) (*Library, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, errors.New("no name of a file")
	}
	if strings.ContainsRune(path, '/') {
		if err := complete(path); err != nil {
			return nil, err
		}
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	o := C.open_library(name)
	if o.handle == 0 {
		defer C.free(unsafe.Pointer(o.why))
		return nil, errors.New(strings.TrimPrefix(C.GoString(o.why), path+": "))
	}
	return &Library{path: path, handle: o.handle, before: o.before != 0}, nil
}

// Path returns the name by which the library was opened.
func (l *Library) Path() string { return l.path }

// LoadedBefore reports whether the library was in the process before it was opened.
func (l *Library) LoadedBefore() bool { return l.before }

// Symbol returns the address of a symbol; zero if the library lacks it.
func (l *Library) Symbol(name string) uintptr {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return uintptr(C.find_symbol(l.handle, text))
}
