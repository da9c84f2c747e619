// Package fastpath makes common calls in C, without entering Go: launches, waits,
// streams, lookups, allocations, one-node graphs, recorded graphs as they are.
//
// thread    the state of one host thread; counters of calls
// driver    the driver's functions that C calls
// stream    waits for streams, their creation and destruction
// launch    kernel launches
// onenode   launches by one-node graphs; tune: whether these are cheaper
// lookup    modules and functions that a thread has loaded and found before
// deferred  modules that global constructors load, until a function is asked for
// alloc     device memory that needs no wait, and the threads' free lists
// reset     whether the program has reset the device
// copy      copies and fills
// kernels   how often each kernel was launched, for statistics
// trace     records of calls, in the file of a timeline
// uncached  calls with MGPU_CACHE=off
// record    calls that a region records
// relaunch  recorded graphs that are launched again as they are
// layout    Go's structs and constants that C reads in place (internal/cstructs writes it)
//
// The contract with Go: C makes what is common and succeeds. Rare cases, failures and
// verdicts are Go's, through the exports of this package and of package main. C changes
// Go's structs only by the rules of the methods that do the same in Go. After a driver
// call, entering Go costs up to half a microsecond, since Go's code has left the
// processor's nearest cache; after a long wait, when the scheduler has given the
// processor away, ten.
package fastpath

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=implicit-function-declaration -Wno-unused-parameter -fvisibility=hidden -fno-plt -I${SRCDIR}/../../include
*/
import "C"

import (
	"embed"

	_ "github.com/mgpu-runtime/mgpu/include" // its headers
)

// The go command rebuilds packages that include these headers only if it sees them
// change here.
//
//go:embed *.h
var _ embed.FS
