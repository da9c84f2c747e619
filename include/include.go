// Package include is the C contract: mgpu_runtime.h. Packages whose C includes it import this
// one, so that the go command builds those anew when it changes. What else is to know of each of
// its functions stands in mgpu_calls.def.
package include

import (
	_ "embed"
	"strings"
)

//go:embed mgpu_runtime.h
var header string

// Version returns the header's MGPU_VERSION, the version of everything here.
func Version() string {
	_, rest, _ := strings.Cut(header, `#define MGPU_VERSION "`)
	version, _, _ := strings.Cut(rest, `"`)
	return version
}
