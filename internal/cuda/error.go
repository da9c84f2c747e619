package cuda

// #include "calls.h"
import "C"

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// codes classifies libcuda's errors. Errors that are not listed are Unknown.
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

// detail explains errors whose name is not enough.
func detail(code driver.Code, says func() string) string {
	switch code {
	case driver.NoDevice, driver.LaunchFailure, driver.Unknown:
		return says()
	}
	return ""
}
