// Package process gives the library access to its host process: environment, standard streams, loaded objects, current
// device of threads, and time.
package process

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -Werror=implicit-function-declaration -Wno-unused-parameter -fvisibility=hidden -fno-plt
*/
import "C"

import "embed"

// The go command rebuilds packages that include this header only if its change is visible here.
//
//go:embed process.h markers.h
var _ embed.FS
