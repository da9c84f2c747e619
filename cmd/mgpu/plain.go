//go:build !cgo

package main

import (
	"errors"
	"os/signal"
	"syscall"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// vendors returns no openers, since these drivers need C.
func vendors() []opener {
	none := func(func(string) string) (driver.Driver, error) {
		return nil, errors.New("mgpu was built without cgo, so it can't tell")
	}
	return []opener{{"hip", none}, {"cuda", none}}
}

// closedAtStart returns false: Go has opened /dev/null before the command can look.
func closedAtStart(int) bool { return false }

// ignoredAtStart reports whether a signal was ignored when the command started. Go only tells for SIGHUP and SIGINT.
func ignoredAtStart(s syscall.Signal) bool { return signal.Ignored(s) }

// defaultAction does nothing: only C can undo Go's handlers.
func defaultAction(syscall.Signal) {}
