// Package fastpath is what C lookups without entering Go: launches, waits, streams,
// lookups of kernels, allocations, one-node graphs, replays of recorded regions.
//
// thread    what belongs to one host thread; counters of calls
// lookup    modules and functions that a thread has loaded and found before
// launch    launches, waits and streams: the driver is called from here
// onenode   launches through one-node graphs, and whether these are cheaper
// alloc     device memory that needs no wait, and the threads' free lists
// record    calls that a region records; replay: those that repeat the last recording
// download  the steps of a staged copy from the device
// call      what entry.c and the Go exports hand to each other
// layout    Go's structs that C reads in place, generated from their declarations
//
// The contract with Go: C makes only what is common and succeeds. Whatever is rare, every
// failure and every verdict is Go's, through the exports of this package and of package
// main. Behind a driver call, entering Go costs up to half a microsecond, since its code
// has left the processor's nearest cache; after a long wait, when the scheduler has given
// its processor away, ten.
package fastpath

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Wno-unused-parameter -fvisibility=hidden -fno-plt -I${SRCDIR}/../../include
*/
import "C"

import (
	"embed"

	_ "github.com/mgpu-runtime/mgpu/include" // its headers
)

// The go command builds a package that includes these headers anew only if it sees them
// change here.
//
//go:embed *.h
var _ embed.FS
