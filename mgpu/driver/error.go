package driver

import "fmt"

// Code classifies a failure independently of the vendor.
type Code int

// Codes. Unknown is every failure that no caller distinguishes.
const (
	Unknown Code = iota
	InvalidValue
	InvalidHandle
	InvalidDevice
	InvalidImage
	WrongArch // a code object for another chip
	NotFound
	NotSupported
	NotReady
	OutOfMemory
	NoDevice
	LaunchFailure // a kernel failed; reported by the launch or by a later synchronize
)

// Error is a failed driver call.
type Error struct {
	Call   string // the driver's function, with the object's name if it has one: `hipModuleGetFunction(matmul)`
	Name   string // the driver's name of the error: "hipErrorNotFound"; empty: ErrorNamer names it
	Code   Code
	Detail string // object and reason, for the user; may be empty

	Lines []string // further lines to print below; usually none
}

// Error returns the line that MLIR's own wrappers print, followed by Detail.
func (e *Error) Error() string {
	name := e.Name
	if name == "" {
		name = e.Code.Error()
	}
	if e.Detail == "" {
		return fmt.Sprintf("'%s' failed with '%s'", e.Call, name)
	}
	return fmt.Sprintf("'%s' failed with '%s': %s", e.Call, name, e.Detail)
}

// Is reports whether target is e's Code: errors.Is(err, driver.OutOfMemory) works.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.Code
}

func (c Code) Error() string { return codeNames[c] }

var codeNames = [...]string{
	Unknown:       "unknown error",
	InvalidValue:  "invalid value",
	InvalidHandle: "invalid handle",
	InvalidDevice: "invalid device",
	InvalidImage:  "invalid image",
	WrongArch:     "no code for this device",
	NotFound:      "not found",
	NotSupported:  "not supported",
	NotReady:      "not ready",
	OutOfMemory:   "out of memory",
	NoDevice:      "no device",
	LaunchFailure: "launch failure",
}
