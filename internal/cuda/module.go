package cuda

// #include "calls.h"
import "C"

import (
	"bytes"
	"strconv"
	"strings"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// ModuleLoad loads a cubin or a fatbin on the current device, or compiles PTX. libcuda itself finds the end of
// binaries.
func (d *Driver) ModuleLoad(image []byte) (driver.Module, error) {
	if !binary(image) {
		return d.compile(image, -1)
	}
	return d.Driver.ModuleLoad(image)
}

// ModuleLoadJIT compiles PTX for the current device. The error has the compiler's log.
func (d *Driver) ModuleLoadJIT(source []byte, opt int) (driver.Module, error) {
	return d.compile(source, min(max(opt, 0), 4))
}

// Magic numbers of images that libcuda loads without compiling. A fatbin begins with its own magic, or with that of the
// structure that points to it.
var magics = [][]byte{
	{0x7f, 'E', 'L', 'F'},
	{0x50, 0xed, 0x55, 0xba},
	{0xb1, 0x43, 0x62, 0x46},
}

// smallest is the number of bytes that libcuda reads of any binary image.
const smallest = 64

// binary reports whether image is a binary, which is not compiled.
func binary(image []byte) bool {
	for _, m := range magics {
		if bytes.HasPrefix(image, m) {
			return len(image) >= smallest || m[0] == 0xb1
		}
	}
	return false
}

// compile compiles and loads text. A NUL ends the text.
func (d *Driver) compile(source []byte, opt int) (driver.Module, error) {
	if end := bytes.IndexByte(source, 0); end >= 0 {
		source = source[:end]
	}
	if len(bytes.TrimSpace(source)) == 0 {
		return 0, d.Failure(C.row_cuModuleLoadDataEx<<16 | C.cuda_invalid_image)
	}
	text, log := append(bytes.Clone(source), 0), make([]byte, 4096)
	v := C.cuda_compile_ptx(d.t, (*C.char)(unsafe.Pointer(&text[0])), C.int(opt),
		(*C.char)(unsafe.Pointer(&log[0])), C.size_t(len(log)))
	if v.status == C.cuda_success {
		return driver.Module(v.value), nil
	}
	e := d.Failure(int32(v.status))
	if e.Code == driver.InvalidImage && d.foreign(source) {
		e.Code = driver.WrongArch
	}
	if said, _, _ := bytes.Cut(log, []byte{0}); len(said) > 0 {
		e.Detail = strings.Join(strings.FieldsFunc(string(said), func(r rune) bool { return r == '\n' }), "; ")
	}
	return 0, e
}

// foreign reports whether PTX is for newer devices than the current one or, if its target ends in a letter, for another
// device.
func (d *Driver) foreign(source []byte) bool {
	number, letter := target(string(source))
	wanted, err := strconv.Atoi(number)
	device, _ := d.Device()
	has, err2 := strconv.Atoi(strings.TrimPrefix(d.Architecture(device), "sm_"))
	return err == nil && err2 == nil && (wanted > has || letter != "" && wanted != has)
}

// target returns the target for which PTX is written: the number in "sm_90a", and its letter.
func target(source string) (number, letter string) {
	for line := range strings.Lines(source) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), ".target")
		arch, ok2 := strings.CutPrefix(strings.TrimSpace(rest), "sm_")
		if ok && ok2 {
			end := strings.IndexFunc(arch, func(r rune) bool { return r < '0' || r > '9' })
			if end < 0 {
				return arch, ""
			}
			if c := arch[end]; c >= 'a' && c <= 'z' {
				letter = arch[end : end+1]
			}
			return arch[:end], letter
		}
	}
	return "", ""
}

// ModuleUnload unloads a module.
func (d *Driver) ModuleUnload(m driver.Module) error {
	d.forget()
	return d.Driver.ModuleUnload(m)
}

// mostParams is more than PTX allows, which is 4 KiB, or 32 KiB, of parameters.
const mostParams = 32 << 10

// FunctionParams asks libcuda, which has the function from CUDA 12.4 on.
func (d *Driver) FunctionParams(f driver.Function, _ []byte, _ string) ([]driver.Param, error) {
	var params []driver.Param
	for len(params) < mostParams {
		v := C.cuda_function_param(d.t, C.uintptr_t(f), C.size_t(len(params)))
		if v.status&0xffff == C.cuda_invalid_value { // there are no more parameters
			return params, nil
		}
		if v.status != C.cuda_success {
			return nil, d.Check(int32(v.status))
		}
		params = append(params, driver.Param{Offset: uint32(uint64(v.value) >> 32), Size: uint32(v.value)})
	}
	return nil, d.Failure(C.row_cuFuncGetParamInfo<<16 | C.cuda_invalid_value)
}
