// Command hsakmt is libhsakmt.so.1, the library between AMD's ROCm runtime and the
// kernel driver, over the software GPU: package softgpu/rocm/hsakmt with a C ABI. AMD's
// own libhsa-runtime64 and libamdhip64 run on it unmodified, on machines without a GPU.
//
// The first call reads the environment: MGPU_SOFT_CHIP, MGPU_SOFT_DEVICES and
// MGPU_SOFT_MEMORY say what GPUs there are, MGPU_SOFT_SCHEDULE in which orders they work,
// MGPU_CHECK and MGPU_SOFT_TIMEOUT what kernels are watched for, MGPU_ON_ERROR and
// MGPU_REPORT what happens when something is found.
package main

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=implicit-function-declaration -Wno-unused-parameter -fvisibility=hidden -fno-plt -I${SRCDIR}/../../../internal/guest -I${SRCDIR}/../../../internal/process
*/
import "C"

import (
	"cmp"
	"embed"
	"fmt"
	"strings"
	"sync"

	_ "github.com/mgpu-runtime/mgpu/internal/guest" // entry.c calls its C
	"github.com/mgpu-runtime/mgpu/internal/hostfile"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/internal/report"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/check"
	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsakmt"
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

// goEnd is the last call, made while the process exits. It returns the status that the process is to
// end with, 0 for its own.
//
//export goEnd
func goEnd() C.int {
	if t := opened(); t != nil {
		if line := t.CheckSummary(); line != "" {
			_, _ = fmt.Fprintln(process.StandardError{}, line)
		}
	}
	return C.int(log.Status())
}

// log counts the kernels that failed and the checker's findings.
var log = report.Log{Getenv: process.Getenv, AddTo: hostfile.Add, Stderr: process.StandardError{}}

// failed tells of a kernel that failed.
func failed(line string, more []string) {
	log.Failed("launch failure", line)
	_, _ = fmt.Fprintln(process.StandardError{}, strings.Join(append([]string{line}, more...), "\n"))
}

// findings takes what the checker writes, one Write per finding.
type findings struct{ process.StandardError }

func (f findings) Write(text []byte) (int, error) {
	log.Found(string(text))
	return f.StandardError.Write(text)
}

// goStart is the first call into Go.
//
//export goStart
func goStart() {}

// configure reads the environment.
func configure() (hsakmt.Options, error) {
	o := hsakmt.Options{Chip: process.Getenv("MGPU_SOFT_CHIP"), Check: process.Getenv("MGPU_CHECK"), Failed: failed, Findings: findings{}}
	if process.Defines("mgpuMemAlloc") {
		o.Check = check.WithoutLeak(o.Check)
	}
	if log.OnError().Abort {
		o.Abort = process.Abort
	}
	if err := unheeded(); err != nil {
		return o, err
	}
	devices, err := settings.Read(process.Getenv, "MGPU_SOFT_DEVICES", settings.ParseDevices)
	if err != nil {
		return o, err
	}
	o.Devices = cmp.Or(devices, 1)
	if o.Memory, err = settings.Read(process.Getenv, "MGPU_SOFT_MEMORY", settings.ParseSize); err != nil {
		return o, err
	}
	if o.Schedule, err = settings.Read(process.Getenv, "MGPU_SOFT_SCHEDULE", settings.ParseSeed); err != nil {
		return o, err
	}
	o.Timeout, err = settings.Read(process.Getenv, "MGPU_SOFT_TIMEOUT", settings.ParseTime)
	return o, err
}

// unheeded is an error where the environment asks for something that only the runtime library does, and
// the process has none. The library itself tells of names and values that are none.
func unheeded() error {
	if process.Defines("mgpuxGetStats") {
		return nil
	}
	environment := process.Environ()
	for _, problem := range settings.Problems(environment) {
		_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: %s\n", problem)
	}
	if refused := settings.NotForHIP(environment); len(refused) > 0 {
		return fmt.Errorf("%s: "+settings.WhyNotForHIP, strings.Join(refused, ", "))
	}
	return nil
}
