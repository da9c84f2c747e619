// Command hsakmt is libhsakmt.so.1, the library between AMD's ROCm runtime and the
// kernel driver, over the software GPU: package internal/hsakmt with a C ABI. AMD's
// own libhsa-runtime64 and libamdhip64 run on it unmodified, on machines without a GPU.
//
// The first call reads the environment: MGPU_SOFT_CHIP, MGPU_SOFT_DEVICES and
// MGPU_SOFT_MEMORY say what GPUs there are.
package main

// #include <stdlib.h>
import "C"

import (
	"fmt"
	"strconv"
	"sync"
	"syscall"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/hsakmt"
	"github.com/mgpu-runtime/mgpu/internal/settings"
)

func main() {}

// opened is the process's thunk. It is nil where the environment asks for what there
// is not, which has been reported.
var opened = sync.OnceValue(func() *hsakmt.Thunk {
	options, err := configure()
	if err == nil {
		var t *hsakmt.Thunk
		if t, err = hsakmt.Open(options); err == nil {
			return t
		}
	}
	_, _ = fmt.Fprintf(standardError{}, "mgpu: no software GPU for ROCm: %v\n", err)
	return nil
})

// call runs one function of the interface. What goes wrong in it is reported and is
// the host's error, not its end.
func call(f func(*hsakmt.Thunk) hsakmt.Status) (status int32) {
	defer func() {
		if r := recover(); r != nil {
			_, _ = fmt.Fprintf(standardError{}, "mgpu: libhsakmt: %v\n", r)
			status = int32(hsakmt.Failure)
		}
	}()
	t := opened()
	if t == nil {
		return int32(hsakmt.Failure)
	}
	return int32(f(t))
}

//export goRelease7
func goRelease7() bool {
	return call(func(t *hsakmt.Thunk) hsakmt.Status {
		t.SetRelease(hsakmt.ROCm7)
		return hsakmt.Success
	}) == int32(hsakmt.Success)
}

// configure reads the environment with C's getenv, which has what the program set.
func configure() (hsakmt.Options, error) {
	o := hsakmt.Options{Chip: environment("MGPU_SOFT_CHIP"), Errors: standardError{}}
	if text := environment("MGPU_SOFT_DEVICES"); text != "" {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return o, fmt.Errorf("MGPU_SOFT_DEVICES=%s is not a number of devices", text)
		}
		o.Devices = int(n)
	}
	if text := environment("MGPU_SOFT_MEMORY"); text != "" {
		n, err := settings.ParseSize(text)
		if err != nil {
			return o, fmt.Errorf("MGPU_SOFT_MEMORY=%w", err)
		}
		o.Memory = n
	}
	return o, nil
}

func environment(name string) string {
	text := append([]byte(name), 0)
	value := C.getenv((*C.char)(unsafe.Pointer(&text[0])))
	if value == nil {
		return ""
	}
	return C.GoString(value)
}

// standardError writes to the process's descriptor, past Go's own file.
type standardError struct{}

func (standardError) Write(b []byte) (int, error) { return syscall.Write(2, b) }
