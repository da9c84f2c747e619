package process

// #define _GNU_SOURCE
// #include <dlfcn.h>
// #include "process.h"
// #include <stdint.h>
//
// static int object_of(uintptr_t addr, Dl_info *info) {
//   return dladdr((void *)addr, info);
// }
// static uintptr_t base_of(const Dl_info *info) { return (uintptr_t)info->dli_fbase; }
import "C"

import (
	"fmt"
	"path/filepath"
)

// Symbol describes the program text at an address: the file with the offset in it, and the function if it has a name.
func (Host) Symbol(addr uintptr) string {
	file, base, function := ObjectAt(addr)
	if file == "" {
		return ""
	}
	text := fmt.Sprintf("%s+%#x", filepath.Base(file), addr-base)
	if function != "" {
		text += " (" + function + ")"
	}
	return text
}

// ObjectAt returns the file that is mapped at an address, its load address, and the name of the function there, if it
// has one. The file is empty if none is known.
func ObjectAt(addr uintptr) (file string, base uintptr, function string) {
	var info C.Dl_info
	if C.object_of(C.uintptr_t(addr), &info) == 0 || info.dli_fname == nil {
		return "", 0, ""
	}
	if info.dli_sname != nil {
		function = C.GoString(info.dli_sname)
	}
	return C.GoString(info.dli_fname), uintptr(C.base_of(&info)), function
}

// Defines reports whether a loaded object defines a function.
func Defines(name string) bool { return bool(C.symbol_is_defined(terminated(name))) }
