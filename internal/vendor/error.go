//go:build cgo

package vendor

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Check makes an error of a status, see internal/dl/table.h: nil if it is success.
func (l *Library) Check(status int32) error {
	if status == 0 {
		return nil
	}
	return l.Failure(status)
}

// Done tells what a query came to.
func (l *Library) Done(status int32) (bool, error) {
	if status != 0 && l.Code(status) == driver.NotReady {
		return false, nil
	}
	return status == 0, l.Check(status)
}

// Named is Check for a call about something with a name.
func (l *Library) Named(status int32, name string) error {
	if status == 0 {
		return nil
	}
	e := l.Failure(status)
	e.Call = fmt.Sprintf("%s(%s)", e.Call, name)
	return e
}

// Code classifies a status that is not success.
func (l *Library) Code(status int32) driver.Code { return l.api.Codes[status&0xffff] }

// Failure makes an error of a status that is not success.
func (l *Library) Failure(status int32) *driver.Error {
	e := &driver.Error{Call: l.api.Symbols[status>>16].Name, Code: l.Code(status)}
	e.Name, e.Detail = l.api.Describe(status&0xffff, e.Code)
	if e.Name == "" {
		e.Name = fmt.Sprintf("%s error %d", l.api.Vendor, status&0xffff)
	}
	if e.Code == driver.NotSupported && l.Symbol(e.Call) == 0 {
		e.Detail = fmt.Sprintf("%s%s has no such function", l.Path(), l.For)
	}
	return e
}
