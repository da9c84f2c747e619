// Command library is libmgpu_rocm.so: package kfd, which answers for AMD's kernel driver, with a C ABI.
// libmgpu_kfd.so opens it when a program first looks for a GPU.
//
// The first call reads the environment: MGPU_SOFT_CHIP, MGPU_SOFT_DEVICES and MGPU_SOFT_MEMORY describe the GPUs,
// MGPU_SOFT_SCHEDULE is the seed of their orders, MGPU_CHECK and MGPU_SOFT_TIMEOUT select checks, MGPU_PROFILE selects
// profiles, MGPU_STATS says where statistics go, and MGPU_ON_ERROR and MGPU_REPORT say what happens after a finding.
package main

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=implicit-function-declaration -Wno-unused-parameter -fvisibility=hidden -fno-plt -I${SRCDIR}/../../../../internal/guest -I${SRCDIR}/../../../../internal/process
#include <stdlib.h>
#include "calls.h"
*/
import "C"

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	_ "github.com/mgpu-runtime/mgpu/internal/guest" // entry.c calls its C
	"github.com/mgpu-runtime/mgpu/internal/heaplimit"
	"github.com/mgpu-runtime/mgpu/internal/hostfile"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/internal/ranks"
	"github.com/mgpu-runtime/mgpu/internal/report"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/check"
	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
	"github.com/mgpu-runtime/mgpu/softgpu/rocm/kfd"
)

func main() {}

// opened is the process's driver; nil if the environment has invalid settings, which has been reported.
var opened = sync.OnceValue(func() *kfd.Driver {
	options, err := configure()
	if err == nil {
		var d *kfd.Driver
		if d, err = kfd.Open(options); err == nil {
			heaplimit.Follow() // decoded kernels are on the heap
			return d
		}
	}
	_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: no software GPU for ROCm: %v\n", err)
	return nil
})

// call runs one call. A panic is reported and becomes an error of the host's call.
func call(f func(*kfd.Driver) syscall.Errno) (errno C.int32_t) {
	defer func() {
		if r := recover(); r != nil {
			_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: libmgpu_rocm: %v\n", r)
			errno = C.int32_t(syscall.EIO)
		}
	}()
	d := opened()
	if d == nil {
		return C.int32_t(syscall.ENODEV)
	}
	return C.int32_t(f(d))
}

// go_files stores the descriptors of the devices' files, then -1, and their numbers. claims is the
// table in which ranges are marked whose unmapping must be passed on to this library.
//
//export go_files
func go_files(descriptors *C.int32_t, minors *C.uint32_t, most C.int32_t, claims uintptr) C.int32_t {
	claimed.Store(claims)
	return call(func(d *kfd.Driver) syscall.Errno {
		into, numbers := unsafe.Slice(descriptors, most), unsafe.Slice(minors, most)
		files := d.Files()
		if len(files) >= len(into) {
			return syscall.ENOSPC
		}
		for i, f := range files {
			into[i], numbers[i] = C.int32_t(f.Descriptor), C.uint32_t(f.Minor)
		}
		into[len(files)] = -1
		return 0
	})
}

//export go_find
func go_find(path *C.char, follow C.bool, found *C.struct_found) C.int32_t {
	return call(func(d *kfd.Driver) syscall.Errno {
		f := d.Find(C.GoString(path), bool(follow))
		*found = C.struct_found{
			kind: C.int32_t(f.Kind), index: C.int32_t(f.Index), major: C.uint32_t(f.Major), minor: C.uint32_t(f.Minor), size: C.size_t(len(f.Text)),
		}
		if f.Kind != kfd.Foreign {
			found.text, found.path = C.CString(f.Text), C.CString(f.Path)
		}
		return 0
	})
}

//export go_ioctl
func go_ioctl(file C.int32_t, request C.uint64_t, arg uintptr) C.int32_t {
	return call(func(d *kfd.Driver) syscall.Errno { return d.Ioctl(int(file), uint64(request), uint64(arg)) })
}

//export go_map
func go_map(file, fd C.int32_t, addr uintptr, size, protection, flags, offset C.uint64_t, at *C.uintptr_t) C.int32_t {
	return call(func(d *kfd.Driver) syscall.Errno {
		got, errno := uint64(0), syscall.EINVAL
		if file >= 0 {
			got, errno = d.Map(int(file), uint64(addr), uint64(size), uint64(protection), uint64(flags), uint64(offset))
		} else {
			got, errno = d.MapShared(int(fd), uint64(addr), uint64(size), uint64(protection), uint64(flags), uint64(offset))
		}
		*at = C.uintptr_t(got)
		return errno
	})
}

//export go_unmap
func go_unmap(addr uintptr, size C.uint64_t, reserve C.bool) C.int32_t {
	return call(func(d *kfd.Driver) syscall.Errno { return d.Unmap(uint64(addr), uint64(size), bool(reserve)) })
}

//export go_allocated
func go_allocated(block *C.struct_allocation) C.int32_t {
	return call(func(d *kfd.Driver) syscall.Errno {
		d.Allocated(&hsa.Allocation{
			Address: uint64(block.address), Size: uint64(block.size), Device: int32(block.device), Pooled: bool(block.pooled),
			Site: hsa.Site{
				Call: C.GoString(block.call), File: C.GoString(block.file), Base: uint64(block.base), Caller: uint64(block.caller), Outer: uint64(block.outer),
			},
		})
		return 0
	})
}

//export go_released
func go_released(address uintptr) C.int32_t {
	return call(func(d *kfd.Driver) syscall.Errno {
		d.Released(uint64(address))
		return 0
	})
}

//export go_reset
func go_reset(device C.int32_t) C.int32_t {
	return call(func(d *kfd.Driver) syscall.Errno {
		d.Reset(int32(device))
		return 0
	})
}

// goEnd is the last call, made while the process exits. It returns the status that the process is to
// end with, 0 for its own.
//
//export goEnd
func goEnd() C.int {
	if d := opened(); d != nil {
		if line := d.CheckSummary(); line != "" {
			_, _ = fmt.Fprintln(process.StandardError{}, line)
		}
		text, kernels := d.Profile()
		if !writeStatistics(d) && text != "" {
			_, _ = fmt.Fprintln(process.StandardError{}, text)
		}
		log.Profiled(kernels)
		if line := d.Leaks(); line != "" {
			_, _ = fmt.Fprintln(process.StandardError{}, line)
		}
	}
	return C.int(log.Status())
}

// statisticsTo is where the statistics go at exit, set by configure: "1", standard error; a file's name; empty, nowhere.
var statisticsTo string

// readStatistics reads statisticsTo. The runtime library writes statistics in programs that have it.
func readStatistics() string {
	text := process.Getenv("MGPU_STATS")
	if process.Defines("mgpuxGetStats") {
		return ""
	}
	if text == "1" {
		return text
	}
	name, _ := settings.ParseFile(text)
	return name
}

// writeStatistics writes the statistics, which have the profile too, if they are wanted.
func writeStatistics(d *kfd.Driver) bool {
	s := d.Statistics()
	if s == nil {
		return false
	}
	rank, _ := ranks.Find(process.Getenv)
	s.Process, s.Rank = os.Getpid(), max(0, rank.World)
	text := s.Table(rank.Label(s.Process))
	if to := statisticsTo; to != "1" {
		added := text
		if strings.HasSuffix(to, ".json") {
			added, _ = json.Marshal(s)
			added = append(added, '\n')
		}
		err := hostfile.Add(rank.FileName(to, s.Process), added)
		if err == nil {
			return true
		}
		_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: MGPU_STATS=%v\n", err)
	}
	_, _ = process.StandardError{}.Write(text)
	return true
}

// log counts the kernels that failed and the checker's findings.
var log = report.Log{Getenv: process.Getenv, AddTo: hostfile.Add, Stderr: process.StandardError{}}

// failed reports a kernel that failed.
func failed(line string, more []string) {
	log.Failed("launch failure", line)
	_, _ = fmt.Fprintln(process.StandardError{}, strings.Join(append([]string{line}, more...), "\n"))
}

// findings receives the checker's findings, one Write each.
type findings struct{ process.StandardError }

func (f findings) Write(text []byte) (int, error) {
	log.Found(string(text))
	return f.StandardError.Write(text)
}

// goStart is the first call into Go.
//
//export goStart
func goStart() {}

var errNoSites = errors.New("leak needs libmgpu_sites.so in LD_PRELOAD, where 'mgpu run --rocm' puts it")

// configure reads the environment.
func configure() (kfd.Options, error) {
	o := kfd.Options{FindDebug: debugList}
	o.Chip, o.Check, o.Failed, o.Findings = process.Getenv("MGPU_SOFT_CHIP"), process.Getenv("MGPU_CHECK"), failed, findings{}
	statisticsTo = readStatistics()
	o.Profile, o.Claimed, o.Stats = process.Getenv("MGPU_PROFILE"), claim, statisticsTo != ""
	if process.Defines("mgpuMemAlloc") {
		o.Check = check.WithoutLeak(o.Check)
	}
	if check.AsksForLeaks(o.Check) && !process.Defines("mgpu_sites_preloaded") {
		return o, &settings.WrongValue{Name: "MGPU_CHECK", Value: o.Check, Why: errNoSites}
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
