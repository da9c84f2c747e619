package hip

// #include "calls.h"
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// ModuleLoad loads a code object, a bundle of them included, on the current
// device. HIP finds its end by itself and keeps the pointer.
func (d *Driver) ModuleLoad(image []byte) (driver.Module, error) {
	if len(image) < elfIdent {
		return 0, d.failure("hipModuleLoadData", C.hip_invalid_image)
	}
	v := C.hip_module_load(d.h, unsafe.Pointer(unsafe.SliceData(image)))
	if v.status == C.hip_success {
		return driver.Module(v.value), nil
	}
	e := d.failure("hipModuleLoadData", v.status)
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
	return d.check("hipModuleUnload", C.hip_module_unload(d.h, C.uintptr_t(m)))
}

// ModuleGetFunction finds a kernel.
func (d *Driver) ModuleGetFunction(m driver.Module, name string) (driver.Function, error) {
	if name == "" || strings.IndexByte(name, 0) >= 0 {
		return 0, d.named("hipModuleGetFunction", name, C.hip_not_found)
	}
	v := C.hip_module_function(d.h, C.uintptr_t(m), (*C.char)(unsafe.Pointer(unsafe.StringData(name))), C.size_t(len(name)))
	return driver.Function(v.value), d.named("hipModuleGetFunction", name, v.status)
}

// LaunchKernel puts a kernel into a stream.
func (d *Driver) LaunchKernel(f driver.Function, l driver.Launch) error {
	return d.check("hipModuleLaunchKernel", C.hip_launch(d.h, C.uintptr_t(f),
		C.uint32_t(l.Grid.X), C.uint32_t(l.Grid.Y), C.uint32_t(l.Grid.Z),
		C.uint32_t(l.Block.X), C.uint32_t(l.Block.Y), C.uint32_t(l.Block.Z),
		C.uint32_t(l.SharedBytes), C.uintptr_t(l.Stream), C.uintptr_t(l.Params), C.uintptr_t(l.Extra)))
}

// LaunchCooperative puts a kernel whose workgroups are all resident at once into
// a stream. HIP has no clusters of workgroups, and takes no packed arguments here.
func (d *Driver) LaunchCooperative(f driver.Function, cluster driver.Dim3, l driver.Launch) error {
	const call = "hipModuleLaunchCooperativeKernel"
	var lacks string
	switch {
	case cluster != driver.Dim3{}:
		lacks = "HIP has no clusters of workgroups"
	case l.Extra != 0:
		lacks = "HIP has no packed arguments for cooperative launches"
	default:
		return d.check(call, C.hip_launch_cooperative(d.h, C.uintptr_t(f),
			C.uint32_t(l.Grid.X), C.uint32_t(l.Grid.Y), C.uint32_t(l.Grid.Z),
			C.uint32_t(l.Block.X), C.uint32_t(l.Block.Y), C.uint32_t(l.Block.Z),
			C.uint32_t(l.SharedBytes), C.uintptr_t(l.Stream), C.uintptr_t(l.Params)))
	}
	return &driver.Error{Call: call, Name: "hipErrorNotSupported", Code: driver.NotSupported, Detail: lacks}
}
