// Package process is the host process as the library sees it: its environment, its
// standard streams, its loaded objects, its threads' current device, and time.
package process

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=implicit-function-declaration -Wno-unused-parameter -fvisibility=hidden -fno-plt
*/
import "C"

import "embed"

// The go command rebuilds packages that include this header only if it sees it change
// here.
//
//go:embed process.h markers.h
var _ embed.FS
