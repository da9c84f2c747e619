package main

// #include "inherited.h"
import "C"

import (
	"os/signal"
	"syscall"
)

// closedAtStart reports whether a standard descriptor (0 to 2) was closed when the command started. Go opens /dev/null
// in its place, so writes to it do not fail.
func closedAtStart(fd int) bool { return bool(C.closed_at_start(C.int(fd))) }

// ignoredAtStart reports whether a signal was ignored when the command started.
func ignoredAtStart(s syscall.Signal) bool { return bool(C.ignored_at_start(C.int(s))) }

// defaultAction gives a signal the kernel's action, where os/signal can only restore Go's. Without Ignore, Notify takes
// Go's handler for installed.
func defaultAction(s syscall.Signal) {
	signal.Ignore(s)
	C.default_action(C.int(s))
}
