// Command hsakmt is libhsakmt.so.1, the library between AMD's ROCm runtime and the
// kernel driver, over the software GPU: package internal/hsakmt with a C ABI. AMD's
// own libhsa-runtime64 and libamdhip64 run on it unmodified, on machines without a GPU.
//
// The first call reads the environment: MGPU_SOFT_CHIP, MGPU_SOFT_DEVICES and
// MGPU_SOFT_MEMORY say what GPUs there are.
package main

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=implicit-function-declaration -Wno-unused-parameter -fvisibility=hidden -fno-plt -I${SRCDIR}/../internal/guest -I${SRCDIR}/../internal/process
*/
import "C"

import (
	"cmp"
	"embed"
	"fmt"
	"sync"

	_ "github.com/mgpu-runtime/mgpu/internal/guest" // entry.c calls its C
	"github.com/mgpu-runtime/mgpu/internal/hsakmt"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// The go command rebuilds the package when these change.
//
//go:embed calls.def refused.def
var _ embed.FS

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
	_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: no software GPU for ROCm: %v\n", err)
	return nil
})

// call runs one function of the interface. What goes wrong in it is reported and is
// the host's error, not its end.
func call(f func(*hsakmt.Thunk) hsakmt.Status) (status int32) {
	defer func() {
		if r := recover(); r != nil {
			_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: libhsakmt: %v\n", r)
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

// goEnd is the last call, made while the process exits.
//
//export goEnd
func goEnd() {
	if t := opened(); t != nil {
		if line := t.CheckSummary(); line != "" {
			_, _ = fmt.Fprintln(process.StandardError{}, line)
		}
	}
}

// goStart is the first call into Go.
//
//export goStart
func goStart() {}

// configure reads the environment.
func configure() (hsakmt.Options, error) {
	o := hsakmt.Options{Chip: process.Getenv("MGPU_SOFT_CHIP"), Check: process.Getenv("MGPU_CHECK"), Errors: process.StandardError{}}
	if process.Getenv("MGPU_ON_ERROR") == "abort" {
		o.Abort = process.Abort
	}
	devices, err := settings.Read(process.Getenv, "MGPU_SOFT_DEVICES", settings.ParseDevices)
	if err != nil {
		return o, err
	}
	o.Devices = cmp.Or(devices, 1)
	o.Memory, err = settings.Read(process.Getenv, "MGPU_SOFT_MEMORY", settings.ParseSize)
	return o, err
}
