// Package guest keeps the Go runtime unnoticed in somebody else's process: a layer of C
// between a library's C functions and its Go exports (guest.c says what it does).
//
// A library is a guest by importing this package, by linking as build.mk does, and by
// defining in C, in its package main, what guest.h asks for: guest_library. Its C
// functions call guest_first on a thread's first call, before they enter Go.
//
// With the build tag mgpu_plain, and where there is no late start, plain.c stands in: Go
// starts as in any Go library.
package guest

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=implicit-function-declaration -Wno-unused-parameter -fvisibility=hidden -fno-plt
#include "guest.h"
*/
import "C"

import (
	"embed"
	"runtime"

	"github.com/mgpu-runtime/mgpu/internal/guest/late"
)

// The go command builds a package that includes these headers anew only if it sees them
// change here.
//
//go:embed guest.h cancel.h
var _ embed.FS

// Threads of the host that Go has adopted, under guest.c's first_mu.
var adopted int

const (
	fewThreads     = 8  // so many make do with the processors that the runtime starts with
	mostProcessors = 64 // see start.c
)

// goAdopted makes the calling thread's goroutine stack large, and Go's processors more where
// the host has many threads.
//
//export goAdopted
func goAdopted() {
	late.GrowStack()
	if adopted++; adopted == fewThreads+1 {
		runtime.GOMAXPROCS(mostProcessors)
	}
}
