package hip

// #include "calls.h"
import "C"

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// ModuleLoad loads a code object, or a bundle, on the current device. HIP finds the end of the image itself, keeps the
// pointer, and reads beyond the end of a damaged image.
func (d *Driver) ModuleLoad(image []byte) (driver.Module, error) {
	if _, err := codeobj.KindOf(image); err != nil {
		e := d.Failure(C.row_hipModuleLoadData<<16 | C.hip_invalid_image)
		e.Detail = err.Error()
		return 0, e
	}
	m, err := d.Driver.ModuleLoad(image)
	if e, ok := err.(*driver.Error); ok {
		e.Detail = cmp.Or(d.whyNotLoaded(e.Code, image), e.Detail)
	}
	if err != nil {
		return 0, err
	}
	if kernels := d.crashes(image); len(kernels) > 0 {
		d.crashing.Store(m, kernels)
	} else {
		d.crashing.Delete(m) // of an earlier module with this handle, which the program has unloaded by a HIP call
	}
	return m, nil
}

// ModuleUnload unloads a module.
func (d *Driver) ModuleUnload(m driver.Module) error {
	d.crashing.Delete(m)
	return d.Driver.ModuleUnload(m)
}

// ModuleGetFunction finds a kernel. It returns an error for a kernel whose launch would crash HIP.
func (d *Driver) ModuleGetFunction(m driver.Module, name string) (driver.Function, error) {
	if kernels, ok := d.crashing.Load(m); ok && slices.Contains(kernels.([]string), name) {
		return 0, &driver.Error{Call: "hipModuleGetFunction(" + name + ")", Name: "hipErrorNotSupported", Code: driver.NotSupported,
			Detail: fmt.Sprintf("HIP %d.%d crashes when it launches such kernels: %s", d.version/1e7, d.version/1e5%100, WhyCrashes)}
	}
	return d.Driver.ModuleGetFunction(m, name)
}

// crashes returns the kernels of an image whose launch crashes this release of HIP.
func (d *Driver) crashes(image []byte) (kernels []string) {
	if d.version >= launchesAll {
		return nil
	}
	objects := [][]byte{image}
	if entries, err := codeobj.Entries(image); err == nil {
		objects = nil
		for _, e := range entries {
			objects = append(objects, e.Image)
		}
	}
	for _, image := range objects {
		if o, err := codeobj.Parse(image); err == nil {
			kernels = append(kernels, Crashes(d.version/1e7, d.version/1e5%100, o)...)
		}
	}
	return kernels
}

// tooNew says that the library does not know a code object's format; empty if it may know it.
func (d *Driver) tooNew(image []byte) string {
	o, err := codeobj.Parse(image)
	major, minor := d.version/1e7, d.version/1e5%100
	most := NewestFormat(major, minor)
	if err != nil || most == 0 || o.Version <= most {
		return ""
	}
	return fmt.Sprintf("the code object has version %d, and HIP %d.%d loads versions up to %d: lower with rocdl-attach-target{abi=%d00}",
		o.Version, major, minor, most, most)
}

// whyNotLoaded says what is wrong with an image, and what to do; empty if unknown.
func (d *Driver) whyNotLoaded(code driver.Code, image []byte) string {
	targets := codeobj.Targets(image)
	if (code == driver.WrongArch || code == driver.InvalidImage) && len(targets) > 0 { // HIP 5 reports InvalidImage for another chip
		if why := d.tooNew(image); why != "" {
			return why
		}
		device, _ := d.Device()
		return fmt.Sprintf("the code object is for %s, the device is %s: lower with rocdl-attach-target{chip=...} for this device",
			strings.Join(targets, " and "), d.DeviceName(device))
	}
	if kind, _ := codeobj.KindOf(image); kind == codeobj.KindHSACO {
		if _, err := codeobj.Parse(image); err != nil {
			return err.Error() // for example an old version
		}
	}
	return codeobj.NotBinary(image[:min(len(image), 64)])
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
