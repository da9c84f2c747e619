package process

// #define _GNU_SOURCE
// #include <dlfcn.h>
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

// Symbol names the program text at an address: the file and the offset in it, and the
// function if that has a name.
func (Host) Symbol(addr uintptr) string {
	var info C.Dl_info
	if C.object_of(C.uintptr_t(addr), &info) == 0 || info.dli_fname == nil {
		return ""
	}
	text := fmt.Sprintf("%s+%#x", filepath.Base(C.GoString(info.dli_fname)), addr-uintptr(C.base_of(&info)))
	if info.dli_sname != nil {
		text += " (" + C.GoString(info.dli_sname) + ")"
	}
	return text
}
