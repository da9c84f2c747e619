package gpuapi

// #include "module.h"
// #cgo noescape gpu_find
// #cgo nocallback gpu_find
// #cgo noescape gpu_has
// #cgo nocallback gpu_has
import "C"

import (
	"strings"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// ModuleLoad loads a binary on the current device. The vendor's library finds its end.
func (d *Driver) ModuleLoad(image []byte) (driver.Module, error) {
	v := C.gpu_load(d.t, unsafe.Pointer(unsafe.SliceData(image)))
	return driver.Module(v.value), d.check(v.status)
}

// ModuleUnload unloads a module.
func (d *Driver) ModuleUnload(m driver.Module) error {
	return d.check(C.gpu_module_unload(d.t, C.uintptr_t(m)))
}

// ModuleGetFunction finds a kernel.
func (d *Driver) ModuleGetFunction(m driver.Module, name string) (driver.Function, error) {
	var space [256]byte
	text, ok := terminated(space[:], name)
	if !ok {
		return 0, d.named(C.int32_t(d.v.row.module_function<<16)|d.v.status.not_found, name)
	}
	v := C.gpu_find(d.t, C.uintptr_t(m), (*C.char)(unsafe.Pointer(&text[0])))
	return driver.Function(v.value), d.named(v.status, name)
}

// ModuleHas asks the vendor: see [driver.ModuleAsker].
func (d *Driver) ModuleHas(m driver.Module, kernel string) bool {
	var space [256]byte
	text, _ := terminated(space[:], kernel)
	v := C.gpu_has(d.t, C.uintptr_t(m), (*C.char)(unsafe.Pointer(&text[0])))
	return v.value != 0
}

// terminated makes a C string of a name, in space if that is large enough. ok is false if the name is empty or contains
// a NUL.
func terminated(space []byte, name string) (text []byte, ok bool) {
	return append(append(space[:0], name...), 0), name != "" && strings.IndexByte(name, 0) < 0
}
