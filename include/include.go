// Package include is the C contract: mgpu_runtime.h, and mgpu_calls.def, the list of its
// functions. Packages whose C includes them import this one, so that the go command
// builds those anew when they change.
package include

import (
	"embed"
	"strings"
)

//go:embed mgpu_runtime.h mgpu_calls.def
var _ embed.FS

//go:embed mgpu_runtime.h
var header string

// Version returns the header's MGPU_VERSION, the version of everything here.
func Version() string {
	_, rest, _ := strings.Cut(header, `#define MGPU_VERSION "`)
	version, _, _ := strings.Cut(rest, `"`)
	return version
}
