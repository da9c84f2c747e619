package cuda

// #include "calls.h"
import "C"

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// codes classify libcuda's errors. Those not listed are Unknown.
var codes = map[C.int32_t]driver.Code{
	C.cuda_invalid_value:            driver.InvalidValue,
	C.cuda_cooperative_too_large:    driver.InvalidValue,
	C.cuda_invalid_cluster_size:     driver.InvalidValue,
	C.cuda_already_registered:       driver.InvalidValue,
	C.cuda_not_registered:           driver.InvalidValue,
	C.cuda_out_of_memory:            driver.OutOfMemory,
	C.cuda_launch_out_of_resources:  driver.OutOfMemory,
	C.cuda_invalid_handle:           driver.InvalidHandle,
	C.cuda_invalid_context:          driver.InvalidHandle,
	C.cuda_context_is_destroyed:     driver.InvalidHandle,
	C.cuda_stub_library:             driver.NoDevice,
	C.cuda_device_unavailable:       driver.NoDevice,
	C.cuda_no_device:                driver.NoDevice,
	C.cuda_system_driver_mismatch:   driver.NoDevice,
	C.cuda_invalid_device:           driver.InvalidDevice,
	C.cuda_invalid_image:            driver.InvalidImage,
	C.cuda_invalid_ptx:              driver.InvalidImage,
	C.cuda_invalid_source:           driver.InvalidImage,
	C.cuda_unsupported_ptx_version:  driver.InvalidImage,
	C.cuda_no_binary_for_gpu:        driver.WrongArch,
	C.cuda_not_found:                driver.NotFound,
	C.cuda_not_ready:                driver.NotReady,
	C.cuda_not_supported:            driver.NotSupported,
	C.cuda_jit_compiler_not_found:   driver.NotSupported,
	C.cuda_jit_compilation_disabled: driver.NotSupported,
	C.cuda_illegal_address:          driver.LaunchFailure,
	C.cuda_launch_timeout:           driver.LaunchFailure,
	C.cuda_kernel_assert:            driver.LaunchFailure,
	C.cuda_hardware_stack_error:     driver.LaunchFailure,
	C.cuda_illegal_instruction:      driver.LaunchFailure,
	C.cuda_misaligned_address:       driver.LaunchFailure,
	C.cuda_invalid_address_space:    driver.LaunchFailure,
	C.cuda_invalid_pc:               driver.LaunchFailure,
	C.cuda_launch_failed:            driver.LaunchFailure,
}

// check turns the status of a call into an error, nil if it is success.
func (d *Driver) check(call string, status C.int32_t) error {
	if status == C.cuda_success {
		return nil
	}
	return d.failure(call, status)
}

// reached tells what a query came to.
func (d *Driver) reached(call string, status C.int32_t) (bool, error) {
	if status == C.cuda_not_ready {
		return false, nil
	}
	return status == C.cuda_success, d.check(call, status)
}

// failure is a call's, or that of one made on the way to it.
func (d *Driver) failure(call string, status C.int32_t) *driver.Error {
	if row := status >> 16; row != 0 {
		call, status = C.GoString(C.cuda_row_name(C.int(row))), status&0xffff
	}
	e := &driver.Error{Call: call, Code: codes[status], Name: text(C.cuda_error_name(d.c, status))}
	if e.Name == "" {
		e.Name = fmt.Sprintf("CUDA error %d", status)
	}
	switch {
	case e.Code == driver.NotSupported && d.library.Symbol(call) == 0:
		e.Detail = fmt.Sprintf("%s, for CUDA %d.%d, has no such function", d.library.Path(), d.version/1000, d.version%1000/10)
	case e.Code == driver.NoDevice || e.Code == driver.LaunchFailure || e.Code == driver.Unknown:
		e.Detail = text(C.cuda_error_string(d.c, status))
	}
	return e
}

// named is check for a call about something with a name.
func (d *Driver) named(call, name string, status C.int32_t) error {
	if status == C.cuda_success {
		return nil
	}
	e := d.failure(call, status)
	e.Call = fmt.Sprintf("%s(%s)", call, name)
	return e
}

func text(s *C.char) string {
	if s == nil {
		return ""
	}
	return C.GoString(s)
}
