// Package process is the host process as the library sees it: its environment, its
// standard streams, its loaded objects, its threads' current device, and time.
package process

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Wno-unused-parameter -fvisibility=hidden -fno-plt
*/
import "C"

import "embed"

// The go command builds a package that includes this header anew only if it sees it
// change here.
//
//go:embed process.h
var _ embed.FS
