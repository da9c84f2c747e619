package hip

// #include "calls.h"
// #cgo noescape hip_module_function
// #cgo nocallback hip_module_function
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/vendor"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// ModuleLoad loads a code object, a bundle of them included, on the current
// device. HIP finds its end by itself and keeps the pointer.
func (d *Driver) ModuleLoad(image []byte) (driver.Module, error) {
	if len(image) < elfIdent {
		return 0, d.fail(C.row_hipModuleLoadData, C.hip_invalid_image)
	}
	v := C.hip_module_load(d.t, unsafe.Pointer(unsafe.SliceData(image)))
	if v.status == C.hip_success {
		return driver.Module(v.value), nil
	}
	e := d.lib.Failure(int32(v.status))
	if targets := codeobj.Targets(image); e.Code == driver.WrongArch && len(targets) > 0 {
		device, _ := d.Device()
		e.Detail = fmt.Sprintf("the code object is for %s, the device is %s", strings.Join(targets, " and "), d.DeviceName(device))
	}
	return 0, e
}

// elfIdent is how many bytes HIP reads of any image to see what it is.
const elfIdent = 16

// ModuleUnload unloads a module.
func (d *Driver) ModuleUnload(m driver.Module) error {
	return d.check(C.call_hipModuleUnload(d.t, C.uintptr_t(m)))
}

// ModuleGetFunction finds a kernel.
func (d *Driver) ModuleGetFunction(m driver.Module, name string) (driver.Function, error) {
	var space [256]byte
	text, ok := vendor.Terminated(space[:], name)
	if !ok {
		return 0, d.lib.Named(C.row_hipModuleGetFunction<<16|C.hip_not_found, name)
	}
	v := C.hip_module_function(d.t, C.uintptr_t(m), (*C.char)(unsafe.Pointer(&text[0])))
	return driver.Function(v.value), d.lib.Named(int32(v.status), name)
}
