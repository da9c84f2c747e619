package process

// #include <stdlib.h>
// #include "process.h"
import "C"

import (
	"fmt"
	"strconv"
	"unsafe"
)

// Getenv returns the value that an environment variable had at the process's first call; empty if it was not set.
// Programs with more rights than their callers (setuid) have no variables.
func Getenv(name string) string {
	C.environment_read()
	value := C.environment_get(terminated(name))
	if value == nil {
		return ""
	}
	return C.GoString(value)
}

// Environ returns the environment of the first call as "NAME=value".
func Environ() []string {
	var all []string
	for at := C.environment_read(); ; at = (**C.char)(unsafe.Add(unsafe.Pointer(at), unsafe.Sizeof(*at))) {
		if *at == nil {
			return all
		}
		all = append(all, C.GoString(*at))
	}
}

// Number returns the value of an environment variable as a whole number; otherwise if the variable is not set.
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

// Abort ends the process like C's abort.
func Abort() { C.abort() }

// terminated returns text as a C string, valid during one call.
func terminated(text string) *C.char {
	bytes := append([]byte(text), 0)
	return (*C.char)(unsafe.Pointer(&bytes[0]))
}
