// Package guest runs Go in a host process without side effects on the host: a layer of C between a library's C
// functions and its Go exports. guest.c has the details.
//
// A library uses it by importing this package, linking as build.mk does, and defining in C, in its package main, the
// guest_library of guest.h. The library's C functions call guest_first on a thread's first call, before they enter Go.
//
// With the build tag mgpu_plain, and on architectures without a late start, plain.c is used instead: Go starts as in
// any Go library.
package guest

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=implicit-function-declaration -Wno-unused-parameter -fvisibility=hidden -fno-plt
#include "guest.h"
#cgo nocallback guest_most_processors
#cgo noescape guest_most_processors
*/
import "C"

import (
	"embed"
	"runtime"

	"github.com/mgpu-runtime/mgpu/internal/guest/late"
)

// The go command rebuilds a package that includes these headers only if their change is visible here.
//
//go:embed guest.h cancel.h
var _ embed.FS

// Number of the host's threads that Go has adopted, guarded by first_mu of guest.c.
var adopted int

// fewThreads is the number of threads for which the initial processors of the runtime suffice. (See start.c.)
const fewThreads = 8

// goAdopted enlarges the stack of the calling thread's goroutine. If the host has many threads, it also increases the
// number of Go's processors.
//
//export goAdopted
func goAdopted() {
	late.GrowStack()
	if adopted++; adopted == fewThreads+1 {
		runtime.GOMAXPROCS(int(C.guest_most_processors()))
	}
}
