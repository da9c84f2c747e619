package softgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var _ driver.ErrorNamer = (*Driver)(nil)

// ErrorName implements driver.ErrorNamer: HIP's names.
func (d *Driver) ErrorName(c driver.Code) string { return driver.HIPErrors.ErrorName(c) }

// status is one of HIP's errors with its class.
type status struct {
	name string
	code driver.Code
}

// The errors that this driver reports, with HIP's names.
var (
	invalidValue        = status{"hipErrorInvalidValue", driver.InvalidValue}
	outOfMemory         = status{"hipErrorOutOfMemory", driver.OutOfMemory}
	invalidConfig       = status{"hipErrorInvalidConfiguration", driver.InvalidValue}
	invalidDevice       = status{"hipErrorInvalidDevice", driver.InvalidDevice}
	invalidImage        = status{"hipErrorInvalidImage", driver.InvalidImage}
	wrongArch           = status{"hipErrorNoBinaryForGpu", driver.WrongArch}
	invalidHandle       = status{"hipErrorInvalidHandle", driver.InvalidHandle}
	notFound            = status{"hipErrorNotFound", driver.NotFound}
	illegalAddress      = status{"hipErrorIllegalAddress", driver.LaunchFailure}
	launchFailure       = status{"hipErrorLaunchFailure", driver.LaunchFailure}
	outOfResources      = status{"hipErrorLaunchOutOfResources", driver.InvalidValue}
	launchTimeOut       = status{"hipErrorLaunchTimeOut", driver.LaunchFailure}
	notSupported        = status{"hipErrorNotSupported", driver.NotSupported}
	cooperativeTooLarge = status{"hipErrorCooperativeLaunchTooLarge", driver.InvalidValue}
	alreadyRegistered   = status{"hipErrorHostMemoryAlreadyRegistered", driver.InvalidValue}
	notRegistered       = status{"hipErrorHostMemoryNotRegistered", driver.InvalidValue}
)

// of returns the error of one failed call.
func (s status) of(call, format string, args ...any) error {
	return &driver.Error{Call: call, Name: s.name, Code: s.code, Detail: fmt.Sprintf(format, args...)}
}
