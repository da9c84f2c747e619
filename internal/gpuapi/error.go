package gpuapi

// #include "calls.h"
import "C"

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Check returns the error of a status (see api.h); nil for success.
func (d *Driver) Check(status int32) error {
	if status == 0 {
		return nil
	}
	return d.Failure(status)
}

func (d *Driver) check(status C.int32_t) error { return d.Check(int32(status)) }

// refuse returns the error for a call that is not made, since its result is known.
func (d *Driver) refuse(row C.int, status C.int32_t) *driver.Error {
	return d.Failure(int32(row)<<16 | int32(status))
}

// done returns the result of a query.
func (d *Driver) done(status C.int32_t) (bool, error) {
	if status != 0 && d.code(int32(status)) == driver.NotReady {
		return false, nil
	}
	return status == 0, d.check(status)
}

// named is check for a call about a named object.
func (d *Driver) named(status C.int32_t, name string) error {
	if status == 0 {
		return nil
	}
	e := d.Failure(int32(status))
	e.Call = fmt.Sprintf("%s(%s)", e.Call, name)
	return e
}

// code classifies a status that is not success.
func (d *Driver) code(status int32) driver.Code { return d.api.Codes[status&0xffff] }

// Failure returns the error of a status that is not success.
func (d *Driver) Failure(status int32) *driver.Error {
	number := C.unsigned(status & 0xffff)
	e := &driver.Error{Call: d.symbols[status>>16].Name, Code: d.code(status), Name: text(C.gpu_error_name(d.t, number))}
	e.Detail = d.api.Detail(e.Code, func() string {
		if says := text(C.gpu_error_string(d.t, number)); says != e.Name {
			return says
		}
		return ""
	})
	if e.Name == "" {
		e.Name = fmt.Sprintf("%s error %d", d.api.Vendor, number)
	}
	if e.Code == driver.NotSupported && d.lib.Symbol(e.Call) == 0 {
		e.Detail = fmt.Sprintf("%s%s has no such function", d.lib.Path(), d.For)
	}
	return e
}

func text(s *C.char) string {
	if s == nil {
		return ""
	}
	return C.GoString(s)
}
