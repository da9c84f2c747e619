package hip

// #include "calls.h"
import "C"

import (
	"fmt"
	"syscall"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// codes classifies HIP's errors. Errors that are not listed are Unknown.
var codes = map[int32]driver.Code{
	C.hip_invalid_value:             driver.InvalidValue,
	C.hip_invalid_configuration:     driver.InvalidValue,
	C.hip_invalid_device_pointer:    driver.InvalidValue,
	C.hip_cooperative_too_large:     driver.InvalidValue,
	C.hip_already_registered:        driver.InvalidValue,
	C.hip_not_registered:            driver.InvalidValue,
	C.hip_out_of_memory:             driver.OutOfMemory,
	C.hip_launch_out_of_resources:   driver.OutOfMemory,
	C.hip_invalid_device_function:   driver.InvalidHandle,
	C.hip_invalid_handle:            driver.InvalidHandle,
	C.hip_context_is_destroyed:      driver.InvalidHandle,
	C.hip_insufficient_driver:       driver.NoDevice,
	C.hip_no_device:                 driver.NoDevice,
	C.hip_invalid_device:            driver.InvalidDevice,
	C.hip_invalid_image:             driver.InvalidImage,
	C.hip_invalid_kernel_file:       driver.InvalidImage,
	C.hip_invalid_source:            driver.InvalidImage,
	C.hip_shared_object_init_failed: driver.InvalidImage,
	C.hip_no_binary_for_gpu:         driver.WrongArch,
	C.hip_symbol_not_found:          driver.NotFound,
	C.hip_not_found:                 driver.NotFound,
	C.hip_not_ready:                 driver.NotReady,
	C.hip_not_supported:             driver.NotSupported,
	C.hip_illegal_address:           driver.LaunchFailure,
	C.hip_launch_timeout:            driver.LaunchFailure,
	C.hip_kernel_assert:             driver.LaunchFailure,
	C.hip_launch_failure:            driver.LaunchFailure,
}

// detail says what the likely cause is.
func detail(code driver.Code, says func() string) string {
	switch code {
	case driver.NoDevice:
		return noDevice()
	case driver.Unknown:
		return says()
	}
	return ""
}

// kfd is the file of the kernel driver for AMD GPUs.
const kfd = "/dev/kfd"

// noDevice returns the likely reason why HIP finds no device. It does not use package os, which would start Go's
// poller, whose descriptors would stay open in the host.
func noDevice() string {
	fd, err := syscall.Open(kfd, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	switch err {
	case nil:
		_ = syscall.Close(fd)
		return "no AMD GPU that it supports"
	case syscall.ENOENT:
		return "no " + kfd + ": no AMD GPU, or no amdgpu kernel driver, here"
	}
	return fmt.Sprintf("open %s: %v", kfd, err)
}
