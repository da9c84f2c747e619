//go:build invariants && !amd64

package invariants

import (
	"runtime"
	"strconv"
	"strings"
)

// Goroutine returns the number of the calling goroutine.
func Goroutine() uintptr {
	var buffer [64]byte
	fields := strings.Fields(string(buffer[:runtime.Stack(buffer[:], false)]))
	n, _ := strconv.ParseUint(fields[1], 10, 64)
	return uintptr(n)
}
