// Package include is the C contract: mgpu_runtime.h, and mgpu_calls.def, which describes each of its functions.
// Packages whose C includes the header import this package, so that the go command rebuilds them when the header
// changes.
package include

import (
	_ "embed"
	"strings"
)

//go:embed mgpu_runtime.h
var header string

// Version returns the header's MGPU_VERSION, which is the version of everything here.
func Version() string {
	_, rest, _ := strings.Cut(header, `#define MGPU_VERSION "`)
	version, _, _ := strings.Cut(rest, `"`)
	return version
}
