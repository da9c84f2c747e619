package process

// #define _GNU_SOURCE
// #include <stdlib.h>
// #include <sys/auxv.h>
// #include <unistd.h>
import "C"

import (
	"fmt"
	"strconv"
	"unsafe"
)

// Getenv returns the value of an environment variable, empty if it is not set. A program
// with more rights than its caller (setuid) has none: settings name libraries to load and
// files to write.
func Getenv(name string) string {
	value := C.secure_getenv(terminated(name))
	if value == nil {
		return ""
	}
	return C.GoString(value)
}

// Environ returns the environment as "NAME=value". It is empty where Getenv's is.
func Environ() []string {
	var all []string
	if C.environ == nil || C.getauxval(C.AT_SECURE) != 0 {
		return nil
	}
	for at := C.environ; ; at = (**C.char)(unsafe.Add(unsafe.Pointer(at), unsafe.Sizeof(*at))) {
		if *at == nil {
			return all
		}
		all = append(all, C.GoString(*at))
	}
}

// Number returns the value of an environment variable that holds a whole number,
// otherwise if it is not set.
func Number(name string, otherwise uint32) (uint32, error) {
	text := Getenv(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%s=%s is not a number from 0 to %d", name, text, 1<<31-1)
	}
	return uint32(n), nil
}

// Abort ends the process as C's abort does.
func Abort() { C.abort() }

// terminated returns text for C, for the time of one call.
func terminated(text string) *C.char {
	bytes := append([]byte(text), 0)
	return (*C.char)(unsafe.Pointer(&bytes[0]))
}
