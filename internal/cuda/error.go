package cuda

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// codes classify libcuda's errors. Those not listed are Unknown.
var codes = map[int32]driver.Code{
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

// describe names a status, and says what it means where the name does not.
func (d *Driver) describe(status int32, code driver.Code) (name, detail string) {
	switch code {
	case driver.NoDevice, driver.LaunchFailure, driver.Unknown:
		detail = text(C.cuda_error_string(d.t, C.cuda_status(status)))
	}
	return text(C.cuda_error_name(d.t, C.cuda_status(status))), detail
}

func (d *Driver) check(status C.int32_t) error        { return d.lib.Check(int32(status)) }
func (d *Driver) done(status C.int32_t) (bool, error) { return d.lib.Done(int32(status)) }

// fail is for what a row's function is not asked, since its answer is known.
func (d *Driver) fail(row, status int32) error { return d.lib.Failure(row<<16 | status) }

func text(s *C.char) string {
	if s == nil {
		return ""
	}
	return C.GoString(s)
}
