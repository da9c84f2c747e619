package hip

// #include "calls.h"
import "C"

import (
	"fmt"
	"syscall"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// codes classify HIP's errors. Those not listed are Unknown.
var codes = map[C.int32_t]driver.Code{
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

// check turns the status of a HIP call into an error, nil if it is success.
func (d *Driver) check(call string, status C.int32_t) error {
	if status == C.hip_success {
		return nil
	}
	return d.failure(call, status)
}

// reached tells what a query came to.
func (d *Driver) reached(call string, status C.int32_t) (bool, error) {
	if status == C.hip_not_ready {
		return false, nil
	}
	return status == C.hip_success, d.check(call, status)
}

func (d *Driver) failure(call string, status C.int32_t) *driver.Error {
	e := &driver.Error{Call: call, Code: codes[status], Name: text(C.hip_error_name(d.h, status))}
	if e.Name == "" {
		e.Name = fmt.Sprintf("hip error %d", status)
	}
	switch {
	case e.Code == driver.NotSupported && d.library.Symbol(call) == 0:
		e.Detail = fmt.Sprintf("%s has no such function", d.library.Path())
	case e.Code == driver.NoDevice:
		e.Detail = noDevice()
	case e.Code == driver.Unknown:
		if s := text(C.hip_error_string(d.h, status)); s != e.Name {
			e.Detail = s
		}
	}
	return e
}

// kfd is the kernel's way to AMD GPUs.
const kfd = "/dev/kfd"

// noDevice tells what is likely to be wrong where HIP finds no device. Package os
// would start Go's poller, whose descriptors stay open in the host.
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

// named is check for a call about something with a name.
func (d *Driver) named(call, name string, status C.int32_t) error {
	if status == C.hip_success {
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
