// Package include is the C contract: mgpu_runtime.h, and mgpu_calls.def, the list of its
// functions. Packages whose C includes them import this one, so that the go command
// builds those anew when they change.
package include

import "embed"

//go:embed mgpu_runtime.h mgpu_calls.def
var _ embed.FS
