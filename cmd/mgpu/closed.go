package main

// #include <stdbool.h>
// bool closed_at_start(int fd);
import "C"

// closedAtStart reports whether a standard descriptor (0 to 2) was closed when the command started. Go opens /dev/null
// in its place, so writes to it do not fail.
func closedAtStart(fd int) bool { return bool(C.closed_at_start(C.int(fd))) }
