package hip

// #include "calls.h"
import "C"

import (
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// ModuleLoad loads a code object, a bundle of them included, on the current
// device. HIP finds its end by itself, reading on behind that of a damaged one, and keeps
// the pointer.
func (d *Driver) ModuleLoad(image []byte) (driver.Module, error) {
	if _, err := codeobj.KindOf(image); err != nil {
		e := d.Failure(C.row_hipModuleLoadData<<16 | C.hip_invalid_image)
		e.Detail = err.Error()
		return 0, e
	}
	m, err := d.Driver.ModuleLoad(image)
	// HIP 5 says that a code object for another chip is none.
	if e, ok := err.(*driver.Error); ok && (e.Code == driver.WrongArch || e.Code == driver.InvalidImage) {
		if targets := codeobj.Targets(image); len(targets) > 0 {
			device, _ := d.Device()
			e.Detail = fmt.Sprintf("the code object is for %s, the device is %s", strings.Join(targets, " and "), d.DeviceName(device))
		}
	}
	return m, err
}

// FunctionParams reads the code object's metadata.
func (d *Driver) FunctionParams(_ driver.Function, image []byte, name string) ([]driver.Param, error) {
	args, err := codeobj.Params(image, name)
	if err != nil {
		return nil, err
	}
	params := make([]driver.Param, len(args))
	for i := range args {
		params[i] = driver.Param{Offset: args[i].Offset, Size: args[i].Size}
	}
	return params, nil
}
